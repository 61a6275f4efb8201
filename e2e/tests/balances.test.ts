import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { Workbook } from 'exceljs';

import { readTemplate } from '../templates';
import { openSetting, type Setting } from './setting';

let setting: Setting;

beforeAll(async () => {
	setting = await openSetting();
});

afterAll(async () => {
	await setting?.close();
});

test('the template for spreadsheets writes an .xlsx with numbers in its cells', async () => {
	// The folder that n8n allows files in.
	const folder = join(setting.userFolder, '.n8n-files');
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder);
	const template = readTemplate('balances-to-xlsx.json');
	const writer = template.nodes.find(({ type }) => type === 'n8n-nodes-base.readWriteFile')!;
	writer.parameters.fileName = String(writer.parameters.fileName).replace('/home/node/.n8n-files', folder);
	const id = await setting.session.importWorkflow(template, setting.credentials);

	const { status, error } = await setting.session.run(id, template.nodes[0]!.name);

	expect({ status, error }).toEqual({ status: 'success', error: undefined });
	const files = readdirSync(folder).filter((name) => name.endsWith('.xlsx'));
	expect(files).toHaveLength(1);
	const workbook = new Workbook();
	await workbook.xlsx.readFile(join(folder, files[0]!));
	const sheet = workbook.getWorksheet('Balances')!;
	const [headings, values] = [1, 2].map((row) => (sheet.getRow(row).values as unknown[]).slice(1));
	const row = Object.fromEntries(headings!.map((heading, index) => [heading, values![index]]));
	expect(row).toEqual({
		checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
		balance: 5,
		charge_balance: 95,
		total_balance: 100,
		balance_text: '5.000000',
		charge_balance_text: '95.000000',
		total_balance_text: '100.000000',
	});
});
