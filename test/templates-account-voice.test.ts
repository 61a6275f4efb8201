import { readTemplate, runTemplate, valueOf } from './template';
import { useEmulator } from './useEmulator';

const emulator = useEmulator();

describe('Balances to a spreadsheet', () => {
	const columns = [
		'checked_at',
		'balance',
		'charge_balance',
		'total_balance',
		'balance_text',
		'charge_balance_text',
		'total_balance_text',
	];

	test.each([
		['balances-to-google-sheets.json', 'Append to Sheet'],
		['balances-to-xlsx.json', 'Convert to Spreadsheet'],
	])('%s hands one row of fixed columns to "%s"', async (file, sheet) => {
		const { outputsOf } = await runTemplate(readTemplate(file), emulator);
		const [rows] = outputsOf(sheet);
		expect(rows).toHaveLength(1);
		expect(Object.keys(rows![0]!.json)).toEqual(columns);
		expect(rows![0]!.json).toMatchObject({ total_balance: 100, total_balance_text: '100.000000' });
	});

	test('the .xlsx gets a name of its own on each run', async () => {
		const name = await valueOf(readTemplate('balances-to-xlsx.json'), 'Write to Disk', 'fileName', {});
		expect(name).toMatch(/^\/home\/node\/\.n8n-files\/balances-\d{4}-\d\d-\d\d-\d{6}\.xlsx$/);
	});
});

describe('Low balance alert', () => {
	const template = readTemplate('low-balance-alert.json');

	function setTotal(totalBalance: string) {
		emulator.fault({
			path: '/user/info',
			status: 200,
			body: { status: true, data: { balance: '1', chargeBalance: '2', totalBalance } },
		});
	}

	test.each(['9.99', '-1', '9.999999999999999999999'])('sends a message for %s', async (total) => {
		setTotal(total);
		const { outputsOf } = await runTemplate(template, emulator);
		expect(outputsOf('Send Alert')[0]).toHaveLength(1);
	});

	test.each(['10.00', '10', '12345678901234567.89'])('is silent for %s', async (total) => {
		setTotal(total);
		const { outputsOf, ran } = await runTemplate(template, emulator);
		expect(outputsOf('Is It Low?')[1]).toHaveLength(1);
		expect(ran('Send Alert')).toBe(false);
	});

	test('the message holds the exact amounts', async () => {
		const json = {
			checked_at: '2026-01-01T08:00:00.000Z',
			balance_text: '0.10',
			charge_balance_text: '9.00',
			total_balance_text: '9.10',
		};
		expect(await valueOf(template, 'Send Alert', 'subject', json)).toBe('Low balance: 9.10');
		const text = await valueOf(template, 'Send Alert', 'text', json);
		for (const amount of Object.values(json)) expect(text).toContain(amount);
	});
});

describe('Voice styles, tidied', () => {
	async function upload(customName: string) {
		const form = new FormData();
		const fields = {
			customName,
			model: 'vendor/voice-1',
			text: 'Hello',
			audio: 'data:audio/mpeg;base64,SUQz',
		};
		for (const [name, value] of Object.entries(fields)) form.append(name, value);
		const response = await fetch(`${emulator.url}/uploads/audio/voice`, {
			method: 'POST',
			headers: { authorization: `Bearer ${emulator.apiKey}` },
			body: form,
		});
		expect(response.status).toBe(200);
	}

	const namesLeft = async () => {
		const response = await fetch(`${emulator.url}/audio/voice/list`, {
			headers: { authorization: `Bearer ${emulator.apiKey}` },
		});
		const { results } = (await response.json()) as { results: Array<{ customName: string }> };
		return results.map(({ customName }) => customName);
	};

	test('deletes the styles that pass the filter, and names them', async () => {
		for (const name of ['narrator', 'test-1', 'host', 'test-2', 'my-test-3']) await upload(name);
		const { outputsOf } = await runTemplate(readTemplate('voice-styles-tidied.json'), emulator);
		expect(outputsOf('Delete Voice Style')[0]!.map(({ json }) => json)).toMatchObject([
			{ deleted: true, customName: 'test-1', uri: expect.stringMatching(/^speech:test-1:/) },
			{ deleted: true, customName: 'test-2' },
		]);
		expect(await namesLeft()).toEqual(['narrator', 'host', 'my-test-3']);
	});

	test('deletes nothing where nothing passes', async () => {
		await upload('narrator');
		const { ran } = await runTemplate(readTemplate('voice-styles-tidied.json'), emulator);
		expect(ran('Delete Voice Style')).toBe(false);
		expect(await namesLeft()).toEqual(['narrator']);
	});
});
