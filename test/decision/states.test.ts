import type { IBinaryKeyData, IDataObject, INodeParameters } from 'n8n-workflow';

import { nodeDriver } from '../support/nodeDriver';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator);

const urgent = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };

const asking = (more: object = {}) => ({ questions: { question: [urgent] }, ...more }) as INodeParameters;

const routing = (more: object = {}) => asking({ operation: 'route', ...more });

const FILE = { data: 'JVBERi0=', mimeType: 'application/pdf', fileExtension: 'pdf' };

/** A submission of n8n's Form Trigger with these fields, of which some are uploads. */
function submission(fields: IDataObject) {
	const binary = Object.fromEntries(Object.keys(fields).map((name) => [name, FILE]));
	const json = { ...fields, submittedAt: '2026-03-01T10:00:00.000+01:00', formMode: 'production' };
	return { json, binary: binary as IBinaryKeyData };
}

const upload = (filename: string) => ({ filename, mimetype: 'application/pdf', size: 4711 });

const sentStates = () => emulator.requests.map(({ body }) => (body as IDataObject).state);

async function hintAfter(parameters: INodeParameters, items: object[]) {
	const { run } = await decision.run(parameters, { items: items as IDataObject[] });
	return run.data.resultData.runData.Node![0]!.hints?.[0]?.message ?? '';
}

test.each([
	['$json.message', { message: 'a' }],
	['$json["My Message"], $json.other', { 'My Message': 'b', other: 1 }],
])('Fields to Send takes a name as an expression has it: %s', async (stateFields, state) => {
	const items = [{ message: 'a', 'My Message': 'b', other: 1 }];
	await decision.run({ ...asking(), stateFields }, { items });
	expect(sentStates()).toEqual([state]);
});

describe('an item of which nothing is left to judge', () => {
	test.each<[string, IDataObject]>([
		['a blank row of a sheet', { row_number: 7, name: '', message: '' }],
		['a row of an evaluation', { row_id: 3, question: null, answer: ' \n' }],
		['text in which nobody sees anything', { name: '\u200b', message: '\ufeff\u200e' }],
		['empty lists and objects', { tags: [], address: {}, row_number: 2 }],
		['lists and objects of nothing but those', { tags: ['', null], address: { city: '', lines: [] } }],
		['nothing but a number of a row', { row_number: 7 }],
	])('goes to Uncertain without a request, and is an error of Answer Questions: %s', async (_, item) => {
		const { outputs, run } = await decision.run(routing(), { items: [item] });
		expect(outputs()[0]!.map(({ json }) => json)).toEqual([
			{ ...item, urgent: null, urgent_yes: null, route: 'Uncertain' },
		]);
		expect(run.data.resultData.runData.Node![0]!.hints![0]!.message).toContain('1 item had nothing to send.');
		const rowName = Object.keys(item).find((name) => name.startsWith('row_'));
		const exception = rowName === undefined ? '' : `, and ${rowName} does not count`;
		expect(await decision.refusal(asking(), { items: [item] })).toBe(
			`The item has nothing to judge: all its fields are empty${exception}. It has: ${Object.keys(item).join(', ')}`,
		);
	});

	test.each<[string, IDataObject, IDataObject]>([
		['0', { row_number: 7, name: '', count: 0 }, { name: '', count: 0 }],
		['false', { done: false, name: null }, { done: false, name: null }],
		['text within an object', { address: { city: 'Lyon' } }, { address: { city: 'Lyon' } }],
		['a field with a similar name', { row_numbers: 1, row_id: 1 }, { row_numbers: 1 }],
	])('is not one that has a value: %s', async (_, item, state) => {
		await decision.run(routing(), { items: [item] });
		await decision.run(asking(), { items: [item] });
		expect(sentStates()).toEqual([state, state]);
	});

	test.each<[string, IDataObject]>([
		['empty lists', { tags: [], name: 'Ada' }],
		['an empty object', { tags: {}, name: 'Ada' }],
		['text in which nobody sees anything', { tags: '\u00ad\u200b', name: 'Ada' }],
		['a list of nothing', { tags: [null, ''], name: 'Ada' }],
		['an object of nothing', { tags: { first: ' ', others: [[]] }, name: 'Ada' }],
	])('is one whose chosen fields hold nothing: %s', async (_, item) => {
		const chosen = { stateFields: 'tags' };
		const [first] = await decision.outputs(routing(chosen), { items: [item] });
		expect(first!.map(({ json }) => json)).toMatchObject([{ urgent: null, route: 'Uncertain' }]);
		expect(await decision.refusal(asking(chosen), { items: [item] })).toBe(
			'The item has nothing to judge in tags. It has: tags, name',
		);
	});

	test.each<[string, IDataObject]>([
		['a list of 0', { tags: [0] }],
		['an object of false', { tags: { done: false } }],
	])('is not one whose chosen field holds a value: %s', async (_, item) => {
		await decision.run(routing({ stateFields: 'tags' }), { items: [item] });
		expect(sentStates()).toEqual([item]);
	});

	test('row_number and row_id are sent if they are chosen', async () => {
		await decision.run(asking({ stateFields: 'row_number, row_id' }), {
			items: [{ row_number: 7, row_id: 1 }],
		});
		expect(sentStates()).toEqual([{ row_number: 7, row_id: 1 }]);
	});

	test('the output keeps row_number, by which a sheet is updated', async () => {
		const { row_number: row } = await decision.json(asking(), { items: [{ row_number: 7, text: 'Help!' }] });
		expect(row).toBe(7);
		expect(sentStates()).toEqual([{ text: 'Help!' }]);
	});
});

test('a chosen field is found although its name has spaces that nobody sees, and is sent as the item spells it', async () => {
	const item = { 'Message ': 'Help!', 'Pet\u00a0name': 'Rex', '\u200eAge\u200b': 3, other: 1 };
	await decision.run(asking({ stateFields: 'Message, Pet name, Age' }), { items: [item] });
	expect(sentStates()).toEqual([{ 'Message ': 'Help!', 'Pet\u00a0name': 'Rex', '\u200eAge\u200b': 3 }]);
});

describe('a file, which is never sent', () => {
	const STORED = { ...FILE, data: 'filesystem-v2', id: 'filesystem-v2:workflows/1/cv' };
	const FILE_ITEM = {
		mimeType: 'application/pdf',
		fileType: 'pdf',
		fileName: 'cv.pdf',
		fileExtension: 'pdf',
		fileSize: '4 kB',
	};

	test.each<[string, object, INodeParameters, string]>([
		['an upload of a form', submission({ CV: upload('cv.pdf') }), {}, ' in CV'],
		['several uploads', submission({ CVs: [upload('a.pdf'), upload('b.pdf')] }), {}, ' in CVs'],
		['an upload beside an empty field', submission({ CV: upload('cv.pdf'), note: '' }), {}, ' in CV'],
		['a chosen upload', submission({ CV: upload('cv.pdf'), name: 'Ada' }), { stateFields: 'CV' }, ' in CV'],
		[
			'chosen uploads',
			submission({ CVs: [upload('a.pdf')], name: 'Ada' }),
			{ stateFields: 'CVs' },
			' in CVs',
		],
		[
			'an upload in combined mode',
			{ CV: STORED, submittedAt: 'now', formMode: 'test', _files: { CV: STORED } },
			{},
			' in CV',
		],
		['a reference in an object', { form: { cv: STORED } }, {}, ' in form'],
		['a file without fields', { json: {}, binary: { data: FILE } }, {}, ''],
		['a file from disk', { json: FILE_ITEM, binary: { data: FILE } }, {}, ''],
		['a file beside a blank row', { json: { name: '', row_number: 1 }, binary: { data: FILE } }, {}, ''],
	])('is an error that says how to read it, if nothing else is left: %s', async (_, item, more, where) => {
		const items = [item] as IDataObject[];
		for (const parameters of [asking(more), routing(more)]) {
			const error = await decision.error(parameters, { items });
			expect(error).toMatchObject({
				message: `The item has nothing to judge but a file${where}, and this node does not read files`,
				description: expect.stringContaining("with n8n's node 'Extract from File'"),
				attempts: 0,
			});
		}
		expect(emulator.requests).toEqual([]);
	});

	test.each<[string, object, INodeParameters, object]>([
		[
			'an upload',
			submission({ CV: upload('cv.pdf'), name: 'Ada' }),
			{},
			{ name: 'Ada', submittedAt: expect.any(String), formMode: 'production' },
		],
		[
			'a chosen upload',
			submission({ CV: upload('cv.pdf'), name: 'Ada' }),
			{ stateFields: 'CV, name' },
			{ name: 'Ada' },
		],
		['one in a list', { CV: ['none', STORED] }, {}, { CV: ['none'] }],
	])('is counted in a hint if other fields are left: %s', async (_, item, more, state) => {
		const hint = await hintAfter(asking(more), [item, { name: 'Bob' }]);
		expect(sentStates()).toEqual([state, { name: 'Bob' }]);
		expect(hint).toContain(
			"File not read, and not sent: CV (in 1 of 2 items). To have its text judged, read it first with 'Extract from File'.",
		);
	});

	test.each<[string, object, INodeParameters]>([
		[
			'an attachment that no field refers to',
			{ json: { subject: 'Hi' }, binary: { attachment_0: FILE } },
			{},
		],
		['the list of files of the combined mode', { subject: 'Hi', _files: { attachment_0: STORED } }, {}],
		[
			'an upload that is not chosen',
			submission({ CV: upload('cv.pdf'), name: 'Ada' }),
			{ stateFields: 'name' },
		],
		['a description without a file', { attachment: upload('cv.pdf') }, {}],
		['a description with more fields', submission({ CV: { ...upload('cv.pdf'), text: 'I am…' } }), {}],
	])('needs no word if nobody chose it: %s', async (_, item, more) => {
		expect(await hintAfter(asking(more), [item])).not.toContain('File not read');
		expect(emulator.requests).toHaveLength(1);
	});

	test('the hint names the first five of many fields, escaped', async () => {
		const names = ['<b>', 'b', 'c', 'd', 'e', 'f', 'g'];
		const uploads = Object.fromEntries(names.map((name) => [name, upload(name)]));
		const hint = await hintAfter(asking(), [submission({ ...uploads, name: 'Ada' })]);
		expect(hint).toContain('File not read, and not sent: &lt;b&gt; (in 1 of 1 item)');
		expect(hint).toContain('Files in 2 more fields were not read');
	});
});
