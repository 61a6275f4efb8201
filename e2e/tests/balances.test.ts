import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { Workbook } from 'exceljs';

import type { Execution, WorkflowFile } from '../N8nSession';
import { readTemplate } from '../templates';
import { openSetting, type Setting } from './setting';

let setting: Setting;

beforeAll(async () => {
	setting = await openSetting();
});

afterAll(async () => {
	await setting?.close();
});

const ROW = {
	checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
	balance: 5,
	charge_balance: 95,
	total_balance: 100,
	balance_text: '5.000000',
	charge_balance_text: '95.000000',
	total_balance_text: '100.000000',
};

/** Makes n8n's folder for files anew; its path. */
function emptyFolder(): string {
	const folder = join(setting.userFolder, '.n8n-files');
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder);
	return folder;
}

/** A template whose files lie in that folder. */
function templateIn(folder: string, file: string): WorkflowFile {
	return JSON.parse(
		JSON.stringify(readTemplate(file)).replaceAll('/home/node/.n8n-files', folder),
	) as WorkflowFile;
}

/** The rows of the only .xlsx in a folder, by their headings. */
async function rowsIn(folder: string, sheetName: string): Promise<object[]> {
	const files = readdirSync(folder).filter((name) => name.endsWith('.xlsx'));
	expect(files).toHaveLength(1);
	const workbook = new Workbook();
	await workbook.xlsx.readFile(join(folder, files[0]!));
	const [headings, ...rows] = workbook
		.getWorksheet(sheetName)!
		.getSheetValues()
		.slice(1)
		.map((row) => (row as unknown[]).slice(1));
	return rows.map(
		(row) => Object.fromEntries(headings!.map((heading, index) => [heading, row[index]])) as object,
	);
}

/** Runs a workflow by hand from its trigger; throws what it failed with. */
async function run(template: WorkflowFile, id: string): Promise<Execution> {
	const execution = await setting.session.run(id, template.nodes[0]!.name);
	expect(execution).toMatchObject({ status: 'success', error: undefined });
	return execution;
}

test('the template for spreadsheets writes an .xlsx with numbers in its cells', async () => {
	const folder = emptyFolder();
	const template = templateIn(folder, 'balances-to-xlsx.json');
	await run(template, await setting.session.importWorkflow(template, setting.credentials));
	expect(await rowsIn(folder, 'Balances')).toEqual([ROW]);
});

test('the balance log in an .xlsx begins without a file, and grows', async () => {
	const folder = emptyFolder();
	const template = templateIn(folder, 'balance-log-to-xlsx.json');
	const id = await setting.session.importWorkflow(template, setting.credentials);
	const row = { ...ROW, event: 'balanceChanged' };
	for (const rows of [[row], [row, row], [row, row, row]]) {
		await run(template, id);
		expect(await rowsIn(folder, 'Balance log')).toEqual(rows);
	}
});

test('the balance log in a data table makes the table once, and adds rows to it', async () => {
	const template = readTemplate('balance-log-to-data-table.json');
	const id = await setting.session.importWorkflow(template, setting.credentials);
	for (const number of [1, 2]) {
		const { outputs } = await run(template, id);
		expect(outputs['Add Row']![0]!.map(({ json }) => json)).toEqual([
			expect.objectContaining({ id: number, total_balance: 100, total_balance_text: '100.000000' }),
		]);
	}
});
