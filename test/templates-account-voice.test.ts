import type { IDataObject } from 'n8n-workflow';

import { readTemplate, runTemplate, valueOf } from './template';
import { useEmulator } from './useEmulator';

const emulator = useEmulator();

const BALANCES: IDataObject = {
	checked_at: '2026-01-01T08:00:00.000Z',
	balance: 1,
	charge_balance: 2,
	total_balance: 9.1,
	balance_text: '1',
	charge_balance_text: '2',
	total_balance_text: '9.10',
};

test('the alert holds the exact amounts and the threshold', async () => {
	const template = readTemplate('low-balance-alert-once.json');
	const json = { ...BALANCES, event: 'balanceBelow', threshold: 10 };
	expect(await valueOf(template, 'Send Alert', 'subject', json)).toBe('Low balance: 9.10');
	const text = await valueOf(template, 'Send Alert', 'text', json);
	const parts = ['is below 10.', 'Total: 9.10', 'Balance: 1', 'Charged balance: 2', BALANCES.checked_at];
	for (const part of parts) expect(text).toContain(part);
});

test.each([
	['balance-log-to-data-table.json', 'Balance Changes'],
	['balances-to-xlsx.json', 'Get Balance'],
])('%s has a table with the columns that it fills from "%s"', async (file, source) => {
	const template = readTemplate(file);
	const { rowsOf } = await runTemplate(template, emulator, { json: BALANCES });
	expect(Object.keys(rowsOf(source)[0]!)).toEqual(Object.keys(BALANCES));
	const parametersOf = (name: string) => template.nodes.find((node) => node.name === name)!.parameters;
	const table = parametersOf('Create Table') as { columns: { column: Array<{ name: string }> } };
	const { columns } = parametersOf('Add Row') as { columns: { value: Record<string, string> } };
	expect(table.columns.column.map(({ name }) => name)).toEqual(Object.keys(BALANCES));
	expect(columns.value).toEqual(
		Object.fromEntries(
			Object.keys(BALANCES).map((name) => [name, `={{ $('${source}').first().json.${name} }}`]),
		),
	);
});

test('of the voice styles, those that pass the filter are deleted, and named', async () => {
	for (const customName of ['narrator', 'test-1', 'my-test-3']) {
		const form = new FormData();
		const fields = {
			customName,
			model: 'vendor/voice-1',
			text: 'Hello',
			audio: 'data:audio/mpeg;base64,SUQz',
		};
		for (const [name, value] of Object.entries(fields)) form.append(name, value);
		const headers = { authorization: `Bearer ${emulator.apiKey}` };
		await fetch(`${emulator.url}/uploads/audio/voice`, { method: 'POST', headers, body: form });
	}
	const tidy = async () => await runTemplate(readTemplate('voice-styles-tidied.json'), emulator);
	expect((await tidy()).rowsOf('Delete Voice Style')).toMatchObject([
		{ deleted: true, customName: 'test-1', uri: expect.stringMatching(/^speech:test-1:/) as string },
	]);
	const again = await tidy();
	expect(again.rowsOf('List Voice Styles').map(({ customName }) => customName)).toEqual([
		'narrator',
		'my-test-3',
	]);
	expect(again.path).not.toContain('Delete Voice Style');
});
