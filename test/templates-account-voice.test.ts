import type { IDataObject } from 'n8n-workflow';

import { PublishedWorkflow } from '../engine/PublishedWorkflow';
import { credentialTypes, nodeTypes } from './runNode';
import { OWN, readTemplate, runTemplate, valueOf, type Template } from './template';
import { useEmulator } from './useEmulator';

const emulator = useEmulator();

/** The workflow of a template when it has been published: the items with which its trigger starts executions. */
function publish({ nodes, connections }: Template): () => Promise<IDataObject | undefined> {
	const credentials = { inferenceServiceApi: { id: '1', name: 'Service' } };
	const published = new PublishedWorkflow({
		workflow: {
			nodes: nodes.filter(({ type }) => type.startsWith(OWN)).map((node) => ({ ...node, credentials })),
			connections,
		},
		nodeTypes,
		credentialTypes,
		credentials: { inferenceServiceApi: { baseUrl: emulator.url, apiKey: emulator.apiKey } },
		stored: { staticData: '{}' },
	});
	return async () => (await published.poll(nodes[0]!.name))?.[0]![0]!.json;
}

function setTotal(totalBalance: string) {
	emulator.fault({
		path: '/user/info',
		status: 200,
		body: {
			status: true,
			data: { id: 'user_1', balance: '1', chargeBalance: '2', totalBalance },
		},
	});
}

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

	test('makes one row of fixed columns', async () => {
		const template = readTemplate('balances-to-xlsx.json');
		const { outputsOf } = await runTemplate(template, emulator);
		const [rows] = outputsOf('Get Balance');
		expect(rows).toHaveLength(1);
		expect(Object.keys(rows![0]!.json)).toEqual(columns);
		expect(rows![0]!.json).toMatchObject({ total_balance: 100, total_balance_text: '100.000000' });
	});
});

describe('Alert once when the balance is low', () => {
	const template = readTemplate('low-balance-alert-once.json');

	test('sends one message for each fall', async () => {
		const poll = publish(template);
		const sent: string[] = [];
		for (const total of ['25', '9.99', '9.99', '8', '12', '3']) {
			setTotal(total);
			const json = await poll();
			if (!json) continue;
			const { outputsOf } = await runTemplate(template, emulator, { json });
			for (const item of outputsOf('Send Alert')[0]!) sent.push(String(item.json.total_balance_text));
		}
		expect(sent).toEqual(['9.99', '3']);
	});

	test('the message holds the exact amounts and the threshold', async () => {
		setTotal('9.10');
		const json = await publish(template)();
		expect(await valueOf(template, 'Send Alert', 'subject', json!)).toBe('Low balance: 9.10');
		const text = await valueOf(template, 'Send Alert', 'text', json!);
		for (const part of [
			'is below 10.',
			'Total: 9.10',
			'Balance: 1',
			'Charged balance: 2',
			json!.checked_at,
		]) {
			expect(text).toContain(part);
		}
	});
});

describe('Balance log', () => {
	const log = readTemplate('balance-log-to-data-table.json');

	test('adds a row for each change', async () => {
		const poll = publish(log);
		setTotal('25');
		const json = await poll();
		const { path } = await runTemplate(log, emulator, { json });
		expect(path).toEqual(['Balance Changes', 'Create Table', 'Add Row']);
		setTotal('25.00');
		expect(await poll()).toBeUndefined();
	});

	test.each([
		['balance-log-to-data-table.json', 'Balance Changes'],
		['balances-to-xlsx.json', 'Get Balance'],
	])('%s has a table with the columns that it fills from "%s"', async (file, source) => {
		const template = readTemplate(file);
		const { outputsOf } = await runTemplate(template, emulator, { json: await publish(log)() });
		const { event, ...row } = outputsOf(source)[0]![0]!.json;
		expect(event).toBe(source === 'Balance Changes' ? 'balanceChanged' : undefined);

		const parametersOf = (name: string) => template.nodes.find((node) => node.name === name)!.parameters;
		const table = parametersOf('Create Table') as { columns: { column: Array<{ name: string }> } };
		const { columns } = parametersOf('Add Row') as { columns: { value: Record<string, string> } };
		const names = table.columns.column.map(({ name }) => name);
		expect(Object.keys(columns.value)).toEqual(names);
		expect(Object.keys(row)).toEqual(names);
		for (const name of names) {
			expect(columns.value[name]).toBe(`={{ $('${source}').first().json.${name} }}`);
		}
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

	test('deletes nothing if nothing passes', async () => {
		await upload('narrator');
		const { path } = await runTemplate(readTemplate('voice-styles-tidied.json'), emulator);
		expect(path).not.toContain('Delete Voice Style');
		expect(await namesLeft()).toEqual(['narrator']);
	});
});
