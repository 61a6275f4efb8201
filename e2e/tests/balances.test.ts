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

/** Excel counts days since 30 December 1899. */
const daysOfExcel = (ms: number) => (ms - Date.UTC(1899, 11, 30)) / 86_400_000;

/** Runs a workflow by hand from its trigger. Throws the error if it fails. */
async function run(template: WorkflowFile, id: string): Promise<Execution> {
	const execution = await setting.session.run(id, template.nodes[0]!.name);
	expect(execution).toMatchObject({ status: 'success', error: undefined });
	return execution;
}

test('the balance log creates its data table once, and adds rows to it', async () => {
	const template = readTemplate('balance-log-to-data-table.json');
	const id = await setting.session.importWorkflow(template, setting.credentials);
	// Another template may have created the table before.
	const addedId = async () => {
		const { outputs } = await run(template, id);
		const [row, ...others] = outputs['Add Row']![0]!.map(({ json }) => json);
		expect(others).toEqual([]);
		expect(row).toMatchObject({ total_balance: 100, total_balance_text: '100.000000' });
		return row!.id as number;
	};
	const first = await addedId();
	expect(await addedId()).toBe(first + 1);
});

test('the balance spreadsheet holds all rows so far', async () => {
	const template = readTemplate('balances-to-xlsx.json');
	const id = await setting.session.importWorkflow(template, setting.credentials);
	const rowsInSheet = async () => (await run(template, id)).outputs['Balances Only']![0]!;
	const first = await rowsInSheet();
	const second = await rowsInSheet();
	expect(second).toHaveLength(first.length + 1);
	expect(second.at(-1)!.json).toEqual({ ...ROW, excel_date: expect.closeTo(daysOfExcel(Date.now()), 2) });
});
