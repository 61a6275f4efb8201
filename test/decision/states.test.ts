import type { IBinaryKeyData, IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { START } from '../../engine/behindTrigger';
import { PassOn } from '../../engine/builtInNodes';
import { runWorkflow } from '../../engine/runWorkflow';
import { nodeDriver, type NodeInput } from '../support/nodeDriver';
import { credentialTypes, nodeTypes, resultOf } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator);

const urgent = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };

const asking = (more: object = {}) => ({ questions: { question: [urgent] }, ...more }) as INodeParameters;

const routing = (more: object = {}) => asking({ operation: 'route', ...more });

const FORM_FACTS = { submittedAt: '2026-03-01T10:00:00.000+01:00', formMode: 'production' };
const CHAT = { sessionId: '4711', action: 'sendMessage', chatInput: '' };
const TABLE_ROW = { id: 7, createdAt: '2026-03-01', updatedAt: '2026-03-02', message: null };
const AIRTABLE_RECORD = { id: 'rec1', createdTime: '2026-03-01T10:00:00.000Z', Notes: '' };
const WEBHOOK = {
	headers: { host: 'n8n.example', cookie: 'session=1' },
	params: {},
	query: {},
	body: {},
	webhookUrl: 'https://n8n.example/webhook/a',
	executionMode: 'production',
};

const FILE = { data: 'JVBERi0=', mimeType: 'application/pdf', fileExtension: 'pdf' };

type Item = NonNullable<NodeInput['items']>[number];

/** Returns a submission of n8n's Form Trigger with these fields, of which some are uploads. */
function submission(fields: IDataObject) {
	const binary = Object.fromEntries(Object.keys(fields).map((name) => [name, FILE]));
	const json = { ...fields, ...FORM_FACTS };
	return { json, binary: binary as IBinaryKeyData };
}

/** The Chat Trigger describes a file so. */
const CHAT_FILE = { fileName: 'cv.pdf', fileSize: '5 kB', mimeType: 'application/pdf', binaryKey: 'data0' };

/** "Extract from File" gives this of a scan. */
const SCAN = {
	numpages: 1,
	numrender: 1,
	info: { Producer: 'Scanner' },
	metadata: {},
	text: '\n\n',
	version: '5.4.296',
};

const upload = (filename: string) => ({ filename, mimetype: 'application/pdf', size: 4711 });

const sentStates = () => emulator.requests.map(({ body }) => (body as IDataObject).state);

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
		['HTML in which nobody sees anything', { html: '<div dir="auto"><br></div>', text: '<p>&nbsp;</p>' }],
		[
			'the HTML of a blank mail of Outlook',
			{
				html: '<!DOCTYPE html>\n<html><head><meta charset="utf-8"><style type="text/css">P {margin-top:0}</style></head><body><!-- a --><p><br/></p><img src="cid:1" alt=""></body></html>',
			},
		],
	])('goes to Uncertain without a request, and is an error of Answer Questions: %s', async (_, item) => {
		const { outputs, hint } = await decision.run(routing(), { items: [item] });
		expect(outputs()[0]!.map(({ json }) => json)).toEqual([
			{ ...item, urgent: null, urgent_yes: null, route: 'Uncertain' },
		]);
		expect(hint()).toContain('1 item had nothing to send.');
		const rowName = Object.keys(item).find((name) => name.startsWith('row_'));
		const exception = rowName === undefined ? '' : `, and ${rowName} does not count`;
		expect(await decision.refusal(asking(), { items: [item] })).toBe(
			`The item has nothing to judge: all its fields are empty${exception}. It has: ${Object.keys(item).join(', ')}`,
		);
	});

	test.each<[name: string, item: IDataObject, field: string, facts: string]>([
		['a form', { ...FORM_FACTS, Name: '', Message: ' ' }, 'Message', 'submittedAt, formMode'],
		[
			'a form with a query',
			{ ...FORM_FACTS, formQueryParameters: { from: 'mail' }, Message: '' },
			'Message',
			'submittedAt, formMode, formQueryParameters',
		],
		['a chat', CHAT, 'chatInput', 'sessionId, action'],
		['a row of a data table', TABLE_ROW, 'message', 'id, createdAt, updatedAt'],
		['a record of Airtable', AIRTABLE_RECORD, 'Notes', 'id, createdTime'],
		['a PDF without text', SCAN, 'text', 'numpages, numrender, info, metadata, version'],
		['a webhook', WEBHOOK, 'body', 'headers, webhookUrl, executionMode'],
		[
			'news of WhatsApp that a message was read',
			{
				messaging_product: 'whatsapp',
				metadata: { id: '1' },
				statuses: [{ status: 'read' }],
				field: 'messages',
			},
			'messages',
			'messaging_product, metadata, field, statuses',
		],
	])('is one with nothing but what n8n itself has filled in: %s', async (_, item, field, facts) => {
		const { outputs, hint } = await decision.run(routing(), { items: [item] });
		expect(outputs()[0]).toHaveLength(1);
		expect(hint()).toContain('1 item had nothing to send.');
		expect(await decision.refusal(asking(), { items: [item] })).toBe(
			`The item has nothing to judge: all its fields are empty, and ${facts} do not count. It has: ${Object.keys(item).join(', ')}`,
		);
		const filled = { ...item, [field]: 'Help!' };
		await decision.run(asking(), { items: [filled] });
		expect(sentStates()).toEqual([filled]);
	});

	test.each<[string, IDataObject]>([
		['a time without the mode of a form', { submittedAt: '2026-03-01', message: '' }],
		['a session without an action', { sessionId: '4711', chatInput: '' }],
		['an ID without both times of a data table', { id: 7, createdAt: '2026-03-01', message: '' }],
		['an ID without the time of a record of Airtable', { id: 'rec1', Notes: '' }],
		['headers without the address of a webhook', { headers: { host: 'a' }, body: {}, query: {}, params: {} }],
		['the query of a webhook', { ...WEBHOOK, query: { text: 'Help!' } }],
		['a part of the path of a webhook', { ...WEBHOOK, params: { text: 'Help!' } }],
		['a field beside those of a webhook', { ...WEBHOOK, text: 'Help!' }],
		['the name of a file without a file', { fileName: 'cv.pdf', fileSize: '4 kB' }],
	])('is not one whose fields only look like those of n8n: %s', async (_, item) => {
		await decision.run(routing(), { items: [item] });
		expect(sentStates()).toEqual([item]);
	});

	test.each<[name: string, item: IDataObject, state: IDataObject]>([
		['0', { row_number: 7, name: '', count: 0 }, { name: '', count: 0 }],
		['false', { done: false, name: null }, { done: false, name: null }],
		['text within an object', { address: { city: 'Lyon' } }, { address: { city: 'Lyon' } }],
		...[
			...['<3', 'a < b', '<div>Hi</div>', 'Hi<br>', '<ada@example.com>', '<order id="7"/>', '<style>p {'],
			...['<img src="a.png" alt="A broken cup">', '<p>&euro;</p>'],
		].map((text): [string, IDataObject, IDataObject] => [text, { text }, { text }]),
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
		['HTML in which nobody sees anything', { tags: '<p>&nbsp;</p>', name: 'Ada' }],
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

	test('is not one of which row_number or row_id is chosen, which is sent then', async () => {
		await decision.run(asking({ stateFields: 'row_number, row_id' }), {
			items: [{ row_number: 7, row_id: 1 }],
		});
		expect(sentStates()).toEqual([{ row_number: 7, row_id: 1 }]);
	});

	test('keeps row_number in its output, because a sheet is updated by it', async () => {
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

test('a webhook with nothing but a file is an error that says how to read the file', async () => {
	const items = [{ json: WEBHOOK, binary: { data: FILE } }];
	expect(await decision.refusal(asking(), { items })).toContain('nothing to judge but a file');
});

describe('a member without a value in JSON that an expression writes', () => {
	const json = (stateJson: string) => ({ stateSource: 'json', stateJson });
	const said = { subject: 'Refund', none: null, blank: '', nested: { text: 'Help!' } };

	test.each<[stateJson: string, path: string, state: string]>([
		['={{ { subject: $json.subject, message: $json.mesage } }}', 'message', '{"subject":"Refund"}'],
		[
			'={{ { subject: $json.subject, mail: { text: $json.textt } } }}',
			'mail.text',
			'{"subject":"Refund","mail":{}}',
		],
		['={{ [$json.subject, $json.mesage] }}', '[1]', '["Refund",null]'],
		[
			'={{ { mails: [1, 2].map((id) => ({ id, text: $json.textt })) } }}',
			'mails[0].text',
			'{"mails":[{"id":1},{"id":2}]}',
		],
		['={{ $json.subject ? [{ a: 1, text: $json.textt }] : [] }}', '[0].text', '[{"a":1}]'],
	])('is named in a hint by its path: %s', async (stateJson, path, state) => {
		expect(await decision.hint(asking(json(stateJson)), { items: [said, said] })).toContain(
			`Check the expressions: in 2 of 2 items, &quot;${path}&quot; in JSON has no value. What was sent instead is empty text, nothing at all,`,
		);
		expect(JSON.stringify(sentStates()[0])).toBe(state);
	});

	test.each<[string, string]>([
		['every member has a value', '={{ { subject: $json.subject, ids: [0, false] } }}'],
		['null or blank text beside content', '={{ { subject: $json.subject, a: $json.none, b: $json.blank } }}'],
		['a date', '={{ { at: new Date(0), subject: $json.subject } }}'],
		['blank text alone, which somebody means', "={{ { message: $json.mesage || '' } }}"],
		['an empty object', '={{ {} }}'],
		['an empty list', '={{ [] }}'],
		['an object of the item', '={{ $json.nested }}'],
		['an object of the item, by a name in brackets', "={{ $json['nested'] }}"],
	])('is not mentioned: %s', async (_, stateJson) => {
		expect(await decision.hint(asking(json(stateJson)), { items: [said] })).not.toContain('no value');
		expect(emulator.requests).toHaveLength(1);
	});

	test.each([
		'={{ { message: $json.mesage } }}',
		'={{ { mail: { text: $json.textt, lines: [] } } }}',
		'={{ [$json.mesage] }}',
		'={{ { message: $json.none, text: $json.blank } }}',
	])('leaves nothing to judge if no other member has content: %s', async (stateJson) => {
		expect(await decision.refusal(asking(json(stateJson)), { items: [said] })).toBe(
			`The item has no text to judge: "JSON" (stateJson) says nothing, because ${stateJson.slice(1)} is empty`,
		);
		const { outputs, hint } = await decision.run(routing(json(stateJson)), { items: [said] });
		expect(outputs()[0]!.map((item) => item.json)).toMatchObject([{ route: 'Uncertain', urgent: null }]);
		expect(hint()).toContain('1 item had nothing to send.');
		expect(emulator.requests).toEqual([]);
	});
});

describe('the headers of a webhook', () => {
	const called = { ...WEBHOOK, body: { text: 'Help!' } };

	test('are counted in a hint if they are sent with the whole item', async () => {
		expect(await decision.hint(asking(), { items: [called, called, { text: 'a' }] })).toContain(
			'The headers of the webhook, which may hold keys and cookies, were sent too: headers (in 2 of 3 items). To leave them out, send only body or query.',
		);
	});

	test.each([
		'={{ JSON.stringify($json) }}',
		'=The call: {{ JSON.stringify($json, null, 2) }}',
		'={{ $json.toJsonString() }}',
	])('are counted in a hint if they are sent with the whole item as text: %s', async (stateText) => {
		expect(
			await decision.hint(asking({ stateSource: 'text', stateText }), { items: [called, { text: 'a' }] }),
		).toContain(
			'The headers of the webhook, which may hold keys and cookies, were sent too: headers (in 1 of 2 items).',
		);
	});

	test.each<[name: string, item: IDataObject, more: IDataObject]>([
		['a part as text', called, { stateSource: 'text', stateText: '={{ JSON.stringify($json.body) }}' }],
		['chosen fields', called, { stateFields: 'body' }],
		['a webhook without headers', { ...called, headers: {} }, {}],
		['other headers, such as those of a mail', { headers: { subject: 'Hi' }, text: 'a' }, {}],
	])('are not mentioned: %s', async (_, item, more) => {
		expect(await decision.hint(asking(more), { items: [item] })).not.toContain('headers');
	});
});

describe('the error of an earlier node', () => {
	const FAILED = { error: 'The service refused the connection' };
	const FINE = { message: 'Help!' };
	const OWN = {
		message: 'Overloaded',
		description: null,
		http_status: 503,
		code: null,
		limit: null,
		retry_after_ms: null,
		trace_id: null,
		attempts: 4,
		item_index: 0,
	};
	const ADVICE = 'judged all the same. Filter';
	const text = (stateText: string) => ({ stateSource: 'text', stateText });

	test.each<[name: string, more: INodeParameters, items: IDataObject[]]>([
		['the whole item', {}, [FINE, FAILED]],
		['the whole item with blank fields', {}, [FINE, { ...FAILED, message: '', row_number: 2 }]],
		['an object', {}, [FINE, { error: { message: 'no', http_status: 500 } }]],
		['chosen fields', { stateFields: 'message, error' }, [FINE, { ...FAILED, id: 7 }]],
		['text', text('={{ $json.message || $json.error }}'), [FINE, FAILED]],
		['the item as text', text('={{ JSON.stringify($json) }}'), [FINE, FAILED]],
		['JSON', { stateSource: 'json', stateJson: '={{ $json }}' }, [FINE, FAILED]],
	])('is counted in a hint if it was all that was sent of some items: %s', async (_, more, items) => {
		expect(await decision.hint(asking(more), { items })).toContain(
			'1 item holds only the error of an earlier node, in "error", and was judged all the same. Filter it out before this node.',
		);
		expect(await decision.hint(asking(more), { items: [...items, ...items] })).toContain(
			'2 items hold only the error of an earlier node, in "error", and were judged all the same. Filter them out before this node.',
		);
	});

	test('is counted in a hint if all items hold nothing else, which may be right', async () => {
		for (const error of [FAILED.error, OWN]) {
			expect(await decision.hint(asking(), { items: [{ error }] })).toContain(
				'1 item holds only the error of an earlier node, in "error", and was judged all the same. Filter it out before this node; if the error is what you ask about, ignore this.',
			);
		}
	});

	test('is counted in a hint although other errors come with content', async () => {
		const items = [FAILED, { ...FINE, error: 'partial' }, FAILED, FINE];
		expect(await decision.hint(asking(), { items })).toContain(
			'2 items hold only the error of an earlier node, in "error", and were judged all the same. Filter them out before this node.',
		);
	});

	test('is counted in a hint beside other content if it is one of this package', async () => {
		expect(await decision.hint(asking(), { items: [{ ...FINE, error: OWN }, FINE] })).toContain(
			'1 item holds the error of an earlier node, in "error", and was judged all the same. Filter it out before this node.',
		);
	});

	test.each<[name: string, more: INodeParameters, items: IDataObject[]]>([
		['the error is chosen', { stateFields: 'error' }, [FAILED, FAILED]],
		['the error is the text', text('={{ $json.error }}'), [FAILED]],
		['another error comes with other content', {}, [FINE, { ...FINE, error: { message: 'a' } }]],
		['nothing but other content', {}, [FINE, { ...FINE, error: null }]],
		['other fields are chosen', { stateFields: 'message' }, [FINE, { ...FINE, ...FAILED }]],
		['text says more', text('=Log: {{ $json.error }}'), [FINE, FAILED]],
		["this package's error is not sent", { stateFields: 'message' }, [{ ...FINE, error: OWN }]],
	])('is not mentioned: %s', async (_, more, items) => {
		expect(await decision.hint(asking(more), { items })).not.toContain(ADVICE);
	});
});

describe('a list of objects that is all that the only item holds', () => {
	const issues = [{ title: 'a' }, { title: 'b' }];
	const SAID = `"issues" holds 2 entries, which were judged together. For an answer to each entry, put 'Split Out' before this node.`;

	test.each<[name: string, more: INodeParameters, item: IDataObject]>([
		['the whole item', {}, { issues }],
		['beside blank fields', {}, { issues, next: null, row_number: 2 }],
		['the item as JSON', { stateSource: 'json', stateJson: '={{ $json }}' }, { issues }],
		['beside what an API says of its pages', {}, { issues, total: 2, hasMore: true, next_page: 'https://a' }],
	])('has a hint, because an answer to each was probably meant: %s', async (_, more, item) => {
		expect(await decision.hint(asking(more), { items: [item] })).toContain(SAID);
	});

	test.each<[name: string, item: IDataObject, path: string]>([
		['Stripe', { object: 'list', url: '/v1/charges', has_more: true, data: issues }, 'data'],
		[
			'Notion',
			{
				...{ object: 'list', results: issues, next_cursor: null, has_more: false, type: 'page_or_database' },
				...{ page_or_database: {}, request_id: 'a' },
			},
			'results',
		],
		[
			'Slack',
			{ ok: true, messages: issues, has_more: true, pin_count: 0, response_metadata: { next_cursor: 'a' } },
			'messages',
		],
		['Typeform', { total_items: 2, page_count: 1, items: issues }, 'items'],
		['Mailchimp', { lists: issues, total_items: 2, _links: [{ rel: 'self', href: 'https://a' }] }, 'lists'],
		[
			'Intercom',
			{ type: 'list', data: issues, total_count: 2, pages: { type: 'pages', next: null } },
			'data',
		],
		[
			'Pipedrive',
			{
				...{ success: true, data: issues, additional_data: { pagination: { start: 0, limit: 100 } } },
				related_objects: { user: { 1: { name: 'Ada' } } },
			},
			'data',
		],
		['Salesforce', { totalSize: 2, done: true, records: issues }, 'records'],
		[
			'Google Places',
			{ html_attributions: [], results: issues, status: 'OK', next_page_token: 'a' },
			'results',
		],
		['JotForm', { responseCode: 200, message: 'success', content: issues, duration: '10ms' }, 'content'],
		[
			'Elasticsearch',
			{
				...{ took: 5, timed_out: false, _shards: { total: 1, failed: 0 } },
				hits: { total: { value: 2, relation: 'eq' }, max_score: 1.2, hits: issues },
			},
			'hits.hits',
		],
		['Odoo', { jsonrpc: '2.0', id: 7, result: issues }, 'result'],
		['GraphQL with extensions', { data: { issues }, extensions: { cost: 12 } }, 'data.issues'],
		['a status', { status: 'success', data: issues }, 'data'],
		['a code', { code: 1, message: 'Done', data: { issues } }, 'data.issues'],
		[
			'a whole response',
			{
				...{ body: { issues }, statusCode: 200, statusMessage: 'OK' },
				headers: { policy: 'a b c d e f g h i j', vary: 'Accept' },
			},
			'body.issues',
		],
		['GitHub', { total_count: 2, incomplete_results: false, items: issues }, 'items'],
		['Microsoft', { '@odata.context': 'https://a', '@odata.count': 2, value: issues }, 'value'],
		['Google', { messages: issues, nextPageToken: 'a', resultSizeEstimate: 201 }, 'messages'],
		['Zendesk', { tickets: issues, count: 2, next_page: null, previous_page: 'https://a' }, 'tickets'],
		['Laravel', { data: issues, links: { next: 'https://a' }, meta: { current_page: 1 } }, 'data'],
	])('has a hint as this gives it: %s', async (_, item, path) => {
		expect(await decision.hint(asking(), { items: [item] })).toContain(
			`"${path}" holds 2 entries, which were judged together.`,
		);
	});

	test('has a hint if it is chosen by a name that says nothing of its entries', async () => {
		const item = { object: 'list', data: issues };
		expect(await decision.hint(asking({ stateFields: 'data' }), { items: [item] })).toContain(
			'"data" holds 2 entries, which were judged together.',
		);
	});

	test('has a hint in two items that are pages of Stripe, but not if each is a whole list', async () => {
		const pagesOf = (has_more: boolean) =>
			[1, 2].map((n) => ({ object: 'list', url: '/v1/charges', has_more, data: [{ n }, { n: n + 2 }] }));
		expect(await decision.hint(asking(), { items: pagesOf(true) })).toContain(
			'"data" holds 4 entries in 2 items',
		);
		expect(await decision.hint(asking(), { items: pagesOf(false) })).not.toContain('judged together');
	});

	test.each<[string, (total: number) => IDataObject]>([
		['beside the list', (total) => ({ data: { issues, pageInfo: { total } } })],
		['beside what holds the list', (total) => ({ data: { issues }, total })],
	])('has a hint in several items too if they say %s that they are pages', async (_, pageOf) => {
		const pages = [3, 4].map(pageOf);
		expect(await decision.hint(asking(), { items: [...pages, { text: 'Hi' }] })).toContain(
			`"data.issues" holds 4 entries in 2 items, and those of each item were judged together. For an answer to each entry, put 'Split Out' before this node.`,
		);
	});

	test.each<[name: string, item: IDataObject, path: string]>([
		['GraphQL', { data: { issues } }, 'data.issues'],
		[
			'edges',
			{ data: { issues: { edges: issues.map((node) => ({ node })), pageInfo: { hasNextPage: true } } } },
			'data.issues.edges',
		],
	])('has a hint within other objects too: %s', async (_, item, path) => {
		expect(await decision.hint(asking(), { items: [item] })).toContain(
			`"${path}" holds 2 entries, which were judged together.`,
		);
	});

	test.each<[name: string, more: INodeParameters, items: IDataObject[]]>([
		['a number that is no page', {}, [{ issues, id: 17 }]],
		['a conversation', {}, [{ messages: issues.map((one) => ({ role: 'user', ...one })) }]],
		['other content', {}, [{ issues, project: 'a' }]],
		['the orders of a customer', {}, [{ customer: 'Ada', orders: issues }]],
		['an order', {}, [{ id: 7, customer: { name: 'Ada' }, items: issues, total: 59.9 }]],
		[
			'a text beside it',
			{},
			[{ title: 'a', text: 'My card was charged twice, please send it back', data: issues }],
		],
		['another list beside it', {}, [{ data: issues, included: issues }]],
		['another list within an object beside it', {}, [{ data: issues, ticket: { comments: issues } }]],
		['other content within the object', {}, [{ status: 'ok', data: { customer: 'Ada', orders: issues } }]],
		['names that only begin or end like those of pages', {}, [{ next_visit: '2026-03-01', issues }]],
		['a discount', {}, [{ discount: 5, issues }]],
		['the title of a page', {}, [{ page_title: 'Home', issues }]],
		[
			'the blocks of a document',
			{},
			[{ type: 'doc', content: [1, 2].map((n) => ({ type: 'paragraph', content: [{ type: 'text', n }] })) }],
		],
		[
			'several items with a list of each, and a sum',
			{},
			[1, 2].map((n) => ({ student: n, results: issues, total: 7 })),
		],
		['a list within what is chosen', { stateFields: 'data.issues' }, [{ data: { issues } }]],
		['a single entry', {}, [{ issues: [{ title: 'a' }] }]],
		['a list of texts', {}, [{ issues: ['a', 'b'] }]],
		['several items', {}, [{ issues }, { issues: [...issues, ...issues] }]],
		[
			'several items with a whole list, as Slack gives a thread',
			{},
			[1, 2].map((n) => ({ ok: true, messages: issues.map((one) => ({ ...one, n })), has_more: false })),
		],
		[
			'several items with a whole list, as Zendesk gives the comments of a ticket',
			{},
			[1, 2].map((n) => ({ comments: issues.map((one) => ({ ...one, n })), count: 2, next_page: null })),
		],
		[
			'several items with a whole list, as Jira gives the comments of an issue',
			{},
			[1, 2].map((n) => ({
				...{ startAt: 0, maxResults: 50, total: 2, isLast: true },
				comments: issues.map((one) => ({ ...one, n })),
			})),
		],
		[
			'several items with a whole list, as Google gives one',
			{},
			[1, 2].map((n) => ({ kind: 'list', etag: 'a', items: issues.map((one) => ({ ...one, n })) })),
		],
		['the list is chosen', { stateFields: 'issues' }, [{ issues }]],
	])('has no hint: %s', async (_, more, items) => {
		expect(await decision.hint(asking(more), { items })).not.toContain('judged together');
	});
});

test('a list that Aggregate has made has no hint, because somebody wants one answer to all of it', async () => {
	const aggregate: INode = { ...START, id: '2', name: 'Aggregate', type: 'n8n-nodes-base.aggregate' };
	const node: INode = {
		...START,
		id: '3',
		name: 'Node',
		type: 'n8n-nodes-inference-service.decision',
		parameters: asking(),
		credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
	};
	const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	const run = await runWorkflow({
		workflow: {
			nodes: [START, aggregate, node],
			connections: { [START.name]: to('Aggregate'), Aggregate: to('Node') },
		},
		nodeTypes: { ...nodeTypes, 'n8n-nodes-base.aggregate': new PassOn('aggregate') },
		credentialTypes,
		credentials: { inferenceServiceApi: { baseUrl: emulator.url, apiKey: emulator.apiKey } },
		items: [{ json: { data: [{ title: 'a' }, { title: 'b' }] } }],
	});
	expect(resultOf(run).hint()).toMatch(/^<b>urgent<\/b>: [^<]*<br>Tokens: [^<]*$/);
});

describe('a response with an error status', () => {
	const response = (statusCode: number) => ({
		body: 'a',
		headers: { a: 'b' },
		statusCode,
		statusMessage: 'b',
	});

	test.each<[string, INodeParameters]>([
		['as a whole', {}],
		['by its body', { stateFields: 'body' }],
	])('is counted in the hint: %s', async (_, more) => {
		const items = [response(404), response(200), response(502)];
		expect(await decision.hint(asking(more), { items })).toContain(
			'Responses with an error status, such as 404, were judged all the same (in 2 of 3 items). Filter them out before this node.',
		);
	});

	test.each<[string, IDataObject]>([
		['another status', response(302)],
		['a status without a response', { statusCode: 404, message: 'a' }],
	])('is not counted in the hint for %s', async (_, item) => {
		expect(await decision.hint(asking(), { items: [item] })).not.toContain('error status');
	});
});

describe('a chosen field that is blank', () => {
	const HINT = "Chosen, but blank in every item: text, notes. Check 'Fields to Send'.";
	const rows = (count: number, more: IDataObject) =>
		Array.from({ length: count }, (_, n) => ({ subject: `Order ${n}`, ...more }));
	const chosen = { stateFields: 'subject, text, notes' };

	test('in every one of ten items is named in the hint', async () => {
		const items = [...rows(5, { text: '', notes: [] }), ...rows(5, { text: null, notes: ' ' })];
		expect(await decision.hint(asking(chosen), { items })).toContain(HINT);
	});

	test.each<[name: string, items: IDataObject[], more: INodeParameters]>([
		['in nine items', rows(9, { text: '', notes: '' }), chosen],
		[
			'in some of the items',
			[...rows(10, { text: '', notes: '' }), ...rows(1, { text: 'a', notes: 'b' })],
			chosen,
		],
		['in every item, but not chosen', rows(10, { text: '', notes: '' }), { stateFields: 'subject' }],
		['in every item, of which all fields are sent', rows(10, { text: '', notes: '' }), {}],
	])('is not named: %s', async (_, items, more) => {
		expect(await decision.hint(asking(more), { items })).not.toContain('blank in every item');
	});
});

describe('a field that is blank beside the same text as HTML', () => {
	const HINT = (field: string, count = 1) =>
		`A field was blank. Its text is in another field, which was not sent: ${field} (in ${count} of 2 items). Send that field too.`;
	const html = '<p>Help!</p>';
	const mail = { mail: { TextBody: '', HtmlBody: html } };
	const text = (stateText: string) => ({ stateSource: 'text', stateText });

	test.each<[stateFields: string, item: IDataObject, field: string]>([
		['subject, text', { text: '', html }, 'html'],
		['subject, text', { text: ' ', textAsHtml: html }, 'textAsHtml'],
		['subject, textPlain', { textPlain: null, textHtml: html }, 'textHtml'],
		['subject, body-plain', { 'body-plain': '', 'body-html': html }, 'body-html'],
		['subject, body', { body: '', body_html: html }, 'body_html'],
		['subject, mail.TextBody', { mail: { TextBody: '', HtmlBody: html } }, 'mail.HtmlBody'],
	])('has a hint, if there are few items too: %s', async (stateFields, item, field) => {
		const items = [{ subject: 'Order', ...item }, { subject: 'Hi' }];
		expect(await decision.hint(asking({ stateFields }), { items })).toContain(HINT(field));
	});

	test.each<[name: string, more: INodeParameters, item: IDataObject, field: string]>([
		['Text', text('=Subject: {{ $json.subject }}\nBody: {{ $json.text }}'), { text: '', html }, 'html'],
		['a path', text('=Subject: {{$json["subject"]}} {{ $json["mail"].TextBody }}'), mail, 'mail.HtmlBody'],
		[
			'JSON',
			{ stateSource: 'json', stateJson: '={ "a": "{{ $json.subject }}", "b": "{{ $json.text }}" }' },
			{ text: ' ', html },
			'html',
		],
	])('has a hint if an expression reads it: %s', async (_, more, item, field) => {
		const items = [
			{ subject: 'Order', ...item },
			{ subject: 'Hi', text: 'Help!', mail: { TextBody: 'Help!' } },
		];
		expect(await decision.hint(asking(more), { items })).toContain(HINT(field));
	});

	test.each<[name: string, stateText: string, item: IDataObject]>([
		['the text is filled', '=About {{ $json.subject }}: {{ $json.text }}', { text: 'Help!', html }],
		[
			'the HTML is sent too',
			'=About {{ $json.subject }}: {{ $json.text }}{{ $json.html }}',
			{ text: '', html },
		],
		[
			'a part of the HTML is sent too',
			'=About {{ $json.subject }}: {{ $json.text }}{{ $json.html.slice(3, 7) }}',
			{ text: '', html },
		],
		[
			'the HTML is read instead',
			'=About {{ $json.subject }}: {{ $json.text || $json.html }}',
			{ text: '', html },
		],
		[
			'the HTML has no text either',
			'=About {{ $json.subject }}: {{ $json.text }}',
			{ text: '', html: '<br>' },
		],
		['another field is blank', '=About {{ $json.subject }}: {{ $json.notes }}', { notes: '', html }],
		[
			'a field of another item is blank',
			'=About {{ $json.subject }}: {{ $input.item.json.x }}',
			{ x: '', html },
		],
	])('has no hint for an expression if %s', async (_, stateText, item) => {
		const items = [{ subject: 'Order', ...item }];
		expect(await decision.hint(asking(text(stateText)), { items })).not.toContain('was blank');
	});

	test('is told once, also in every one of ten items', async () => {
		const items = Array.from({ length: 10 }, (_, n) => ({ subject: `Order ${n}`, text: '', html }));
		const hint = await decision.hint(asking({ stateFields: 'subject, text' }), { items });
		expect(hint).toContain('is in another field, which was not sent: html (in 10 of 10 items)');
		expect(hint).not.toContain('blank in every item');
	});

	test.each<[name: string, stateFields: string, item: IDataObject]>([
		['the text is filled', 'subject, text', { text: 'Help!', html }],
		['the HTML is sent too', 'subject, text, html', { text: '', html }],
		['all around the HTML is sent', 'subject, mail.text, mail', { mail: { text: '', html, id: 1 } }],
		['the HTML has no text either', 'subject, text', { text: '', html: '<div>&nbsp;<br></div>' }],
		['another field is blank', 'subject, notes', { notes: '', html }],
		['a field with another number is filled', 'subject, line2', { line1: 'High St', line2: '' }],
	])('has no hint if %s', async (_, stateFields, item) => {
		const items = [{ subject: 'Order', ...item }];
		expect(await decision.hint(asking({ stateFields }), { items })).not.toContain('was blank');
	});
});

describe('what the model cannot read', () => {
	const LEFTOVER =
		'Sent as "[object Object]", "undefined", "NaN", empty braces or commas, or a spreadsheet error: ';
	const ENCODED = 'Sent as encoded text (base64), which the model cannot read: ';
	const LINK = 'A link to a file was sent, and not the file: ';
	const judging = (stateText: string) => ({ stateSource: 'text', stateText });
	const base64 = Buffer.from('Dear team, '.repeat(20)).toString('base64');

	test.each<[name: string, more: INodeParameters, item: IDataObject, said: string]>([
		[
			'an object that an earlier node wrote as text',
			{},
			{ message: '[object Object]' },
			`${LEFTOVER}message`,
		],
		[
			'undefined beside a text',
			{},
			{ a: 'Is there anybody who can help me with it?', b: 'undefined' },
			`${LEFTOVER}b`,
		],
		['a text that is NaN', judging('={{ $json.sum }}'), { sum: 'NaN' }, `${LEFTOVER}{{ $json.sum }}`],
		['an error of a sheet', {}, { message: '#N/A' }, `${LEFTOVER}message`],
		...[
			...['#NV', '#BEZUG!', '#¡VALOR!', '#NOM?', '#ССЫЛКА!', '#Н/Д', '#DIV/0!', '#DZIEL/0!', 'Err:502'],
			...['#BLOCKED!', ', , ', '|  | |', '[{},{}]', '[ null, {} ]'],
		].map((message): [string, INodeParameters, IDataObject, string] => [
			message,
			{},
			{ message },
			`${LEFTOVER}message`,
		]),
		[
			'a list of which no entry has the member that is joined',
			judging('=Orders: {{ $json.o.map((o) => o.x).join(", ") }} of {{ $json.name }}'),
			{ name: 'Ada', o: [{ n: 1 }, { n: 2 }, { n: 3 }] },
			`${LEFTOVER}{{ $json.o.map((o) =&gt; o.x).join(&quot;, &quot;) }}`,
		],
		['an email in base64', { stateFields: 'raw' }, { raw: base64, id: '1' }, `${ENCODED}raw`],
		['a link to a PDF', {}, { Name: 'Ada', CV: 'https://a.example/cv.PDF?id=1' }, `${LINK}CV`],
		[
			'an attachment of Airtable',
			{},
			{
				Name: 'Ada',
				CV: [{ id: 'a', url: 'https://a.example/1', filename: 'cv.pdf', type: 'application/pdf' }],
			},
			`${LINK}CV`,
		],
		[
			'a file of Tally',
			{ stateFields: 'cv' },
			{
				cv: [{ id: 'a', url: 'https://a.example/1', name: 'cv.pdf', mimeType: 'application/pdf', size: 10 }],
			},
			`${LINK}cv`,
		],
		['links to documents', {}, { Name: 'Ada', files: ['https://a.example/a.pdf'] }, `${LINK}files`],
		[
			'a link to Google Drive',
			judging('={{ $json.cv }}'),
			{ cv: 'https://drive.google.com/open?id=1' },
			`${LINK}{{ $json.cv }}`,
		],
		[
			'a value within a longer text',
			judging('=The application of {{ $json.name }}: {{ $json.text }}'),
			{ name: 'Ada', text: 'undefined' },
			`${LEFTOVER}{{ $json.text }}`,
		],
		[
			'a field of the item as text',
			judging('=The row: {{ JSON.stringify($json) }}'),
			{ sum: 'NaN' },
			`${LEFTOVER}sum`,
		],
	])('has a hint: %s', async (_, more, item, said) => {
		const items = [item, { ...item, id: 2 }];
		expect(await decision.hint(asking(more), { items })).toContain(`${said} (in 2 of 2 items). `);
	});

	const sentence = 'My application is attached as a link, see below.';

	test.each<[name: string, item: IDataObject]>([
		['such a word within a text', { message: 'It says undefined.' }],
		[
			'an error of a sheet beside a text',
			{ message: 'Is there anybody who can help me with it?', price: '#N/A' },
		],
		['an ID', { id: base64.slice(0, 100) }],
		...['#SALE', '#VIP', '#1!', '#ok!', 'N/A', ', ', '-', '…', '[]', '{}', '[{"a":null}]', '[{},1]'].map(
			(message): [string, IDataObject] => [message, { message }],
		),
		...[
			'昨日カードを失くしてしまいました。どうすればいいですか',
			'我昨天在地铁上丢了信用卡，请帮我尽快冻结账户',
			'เมื่อวานฉันทำบัตรเครดิตหายบนรถไฟฟ้า ช่วยระงับบัตรให้ด้วย',
		].map((message): [string, IDataObject] => [
			`a link beside ${message}`,
			{ message, CV: 'https://a.example/cv.pdf' },
		]),
		['encoded text beside text that can be read', { message: sentence, raw: base64 }],
		['a link to a file beside text', { message: sentence, CV: 'https://a.example/cv.pdf' }],
		['a link to a picture', { product: 'Red shoe', image: 'https://a.example/shoe.jpg' }],
		['a link to a page', { url: 'https://a.example/page.html' }],
		['a list of pages', { pages: [{ url: 'https://a.example/page', name: 'Home' }] }],
		[
			'files beside text',
			{
				message: sentence,
				CV: [{ url: 'https://a.example/1', filename: 'cv.pdf', type: 'application/pdf' }],
			},
		],
	])('does not include %s', async (_, item) => {
		expect(await decision.hint(asking(), { items: [item] })).not.toMatch(/Sent as|A link to a file/);
	});
});

describe('an item with a text of which nothing is sent', () => {
	const item = { message: 'My dog ate a bar of chocolate and is restless now' };
	const about = (instructions: string) => ({ questions: { question: [{ ...urgent, instructions }] } });

	test.each<[name: string, more: INodeParameters]>([
		['Text', { stateSource: 'text', stateText: 'The message of the owner' }],
		['JSON', { stateSource: 'json', stateJson: '{ "text": "The message of the owner" }' }],
	])('has a hint: %s', async (_, more) => {
		expect(await decision.hint(asking(more), { items: [item] })).toContain(
			'Nothing from the item was sent, although it has a text: message (in 1 of 1 item). Drag this field into the text that you send.',
		);
		const reading = { ...more, ...about('=Is this urgent: {{ $json.message }}') };
		expect(await decision.hint(asking(reading), { items: [item] })).not.toContain('Nothing from the item');
		expect(await decision.hint(asking(more), { items: [{ n: 1 }] })).not.toContain('Nothing from the item');
	});
});

describe('a text in a script without blanks of which nothing is sent', () => {
	const more = { stateSource: 'text', stateText: 'The message of the owner' };

	test.each([
		'我的狗吃了一块巧克力，现在很不安，我该怎么办',
		'うちの犬がチョコレートを食べて落ち着きません',
		'หมาของฉันกินช็อกโกแลตไปหนึ่งแท่งและตอนนี้กระสับกระส่ายมาก',
		'ໝາຂອງຂ້ອຍກິນຊັອກໂກແລັດໄປໜຶ່ງແທ່ງແລະຕອນນີ້ກະວົນກະວາຍຫຼາຍ ຂ້ອຍຄວນເຮັດແນວໃດ',
		'ឆ្កែរបស់ខ្ញុំបានស៊ីសូកូឡាមួយដុំហើយឥឡូវនេះវាមិនស្ងប់ទេតើខ្ញុំគួរធ្វើយ៉ាងណា',
		'ကျွန်တော့်ခွေးကချောကလက်တစ်တုံးစားပြီးအခုမငြိမ်မသက်ဖြစ်နေတယ်ဘာလုပ်ရမလဲ',
	])('has a hint, because it has as many letters as a sentence: %s', async (message) => {
		expect(await decision.hint(asking(more), { items: [{ message }] })).toContain(
			'Nothing from the item was sent, although it has a text: message',
		);
	});

	test.each(['山田太郎', '東京都千代田区', 'กรุงเทพมหานคร', 'สมชาย ใจดีมาก', 'Pneumonoultramicroscopic'])(
		'has none if it is only a name: %s',
		async (name) => {
			expect(await decision.hint(asking(more), { items: [{ name }] })).not.toContain('Nothing from the item');
		},
	);
});

describe('a long number that is all that was sent', () => {
	const found = 'Only a number was sent, such as a phone number or an ID: ';

	test.each<[name: string, more: INodeParameters, item: IDataObject, field: string]>([
		['a phone number', { stateFields: 'Phone' }, { Phone: '+43 (664) 123-45 67', text: 'Help!' }, 'Phone'],
		['an ID that is a number', { stateFields: 'id, note' }, { id: 12345678, note: '' }, 'id'],
		['a text', { stateSource: 'text', stateText: '={{ $json.Phone }}' }, { Phone: '0664 1234567' }, 'Text'],
	])('has a hint: %s', async (_, more, item, field) => {
		expect(await decision.hint(asking(more), { items: [item, { ...item, n: 2 }] })).toContain(
			`${found}${field} (in 2 of 2 items). Send the field with the words too.`,
		);
	});

	test.each<[name: string, stateFields: string, item: IDataObject]>([
		['beside words', 'Name, Phone', { Name: 'Ada', Phone: '0664 1234567' }],
		['with few digits', 'amount', { amount: '1,250.50' }],
		['with a unit', 'amount', { amount: '12500000 EUR' }],
		['that is a fraction', 'value', { value: 0.12345678 }],
		[
			'beside another, such as figures with their names',
			'views, revenue',
			{ views: 1250000, revenue: 2.5e7 },
		],
		['that is a date', 'date', { date: '2026-12-25' }],
		['that is a date as people write it', 'date', { date: '25.12.2026' }],
		['that is a date with slashes', 'date', { date: '12/25/2026' }],
	])('has none %s', async (_, stateFields, item) => {
		expect(await decision.hint(asking({ stateFields }), { items: [item] })).not.toContain('Only a number');
	});

	test('has none if the question has words of the item', async () => {
		const instructions = '=Is this a number of {{ $json.country }}?';
		const more = { stateFields: 'phone', questions: { question: [{ ...urgent, instructions }] } };
		const items = [{ phone: '+43 664 1234567', country: 'Austria' }];
		expect(await decision.hint(asking(more), { items })).not.toContain('Only a number');
	});
});

describe('an email of which an item has only the beginning', () => {
	const GMAIL = { id: '1', threadId: '1', Subject: 'Order', snippet: 'Dear team, '.repeat(18) };
	const judging = (stateText: string) => ({ stateSource: 'text', stateText });
	const text = 'Dear team, '.repeat(50);
	const html = `<p>${text}</p>`;
	const OUTLOOK = { id: '1', conversationId: '2', subject: 'Order', bodyPreview: 'Dear team, '.repeat(23) };

	test.each<[name: string, more: INodeParameters, email: IDataObject, field: string]>([
		['Gmail', {}, GMAIL, 'snippet'],
		['Outlook', {}, OUTLOOK, 'bodyPreview'],
		['the item as JSON', { stateSource: 'json', stateJson: '={{ $json }}' }, GMAIL, 'snippet'],
		['the beginning as a field', { stateFields: 'snippet' }, GMAIL, 'snippet'],
		[
			'the item as text',
			judging('={{ JSON.stringify($json) }}'),
			{ ...GMAIL, snippet: 'Dear "team", '.repeat(15) },
			'snippet',
		],
		['the beginning within a text', judging('={{ $json.Subject }}: {{ $json.snippet }}!'), GMAIL, 'snippet'],
		[
			'the beginning as a field, without the text',
			{ stateFields: 'Subject, snippet' },
			{ ...GMAIL, text },
			'snippet',
		],
		[
			'the beginning as a field, without the body',
			{ stateFields: 'bodyPreview, Subject' },
			{ ...OUTLOOK, body: { content: text } },
			'bodyPreview',
		],
		[
			'the beginning within a text, without the text',
			judging('=It: {{ $json.snippet }}'),
			{ ...GMAIL, html },
			'snippet',
		],
	])('has a hint: %s', async (_, more, email, field) => {
		expect(await decision.hint(asking(more), { items: [email, { Subject: 'Hi', snippet: 'Hi' }] })).toContain(
			`Only the beginning of the email was sent: ${field} (in 1 of 2 items). For its whole text, turn off the simplified output of the node that reads it, or send the field with the whole text.`,
		);
	});

	test.each<[name: string, more: INodeParameters, email: IDataObject]>([
		['the email is short', {}, { ...GMAIL, snippet: 'Thank you!' }],
		['the preview is short', {}, { ...OUTLOOK, bodyPreview: 'Thank you! '.repeat(10) }],
		['its text is sent too', {}, { ...GMAIL, text: 'Dear team, '.repeat(50) }],
		['its body is sent too', {}, { ...OUTLOOK, body: { content: 'Dear team, '.repeat(50) } }],
		['the beginning is not sent', { stateFields: 'Subject' }, GMAIL],
		['the text is chosen too', { stateFields: 'snippet, text' }, { ...GMAIL, text }],
		['the text is no longer', { stateFields: 'snippet' }, { ...GMAIL, text: GMAIL.snippet.trim() }],
		[
			'the HTML has no more text',
			{ stateFields: 'snippet' },
			{ ...GMAIL, html: `<style>p { color: red }</style>\n<p>${GMAIL.snippet}</p>` },
		],
		['the text holds the beginning', judging('={{ $json.text.trim().slice(0, 400) }}'), { ...GMAIL, text }],
		[
			'the body holds the beginning',
			judging('={{ $json.body.content }}'),
			{ ...OUTLOOK, body: { content: text } },
		],
		['another text is sent', judging('={{ $json.Subject }}'), GMAIL],
		['a snippet of something else', {}, { title: 'Page', snippet: GMAIL.snippet }],
	])('has no hint: %s', async (_, more, email) => {
		expect(await decision.hint(asking(more), { items: [email] })).not.toContain('Only the beginning');
	});
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

	const whatsApp = (message: object) => ({
		messaging_product: 'whatsapp',
		metadata: { phone_number_id: '1' },
		contacts: [{ wa_id: '2' }],
		messages: [{ from: '2', id: 'A', timestamp: '1', ...message }],
		field: 'messages',
	});

	test.each<[name: string, item: object, more: INodeParameters, where: string]>([
		['an upload of a form', submission({ CV: upload('cv.pdf') }), {}, ' in CV'],
		['several uploads', submission({ CVs: [upload('a.pdf'), upload('b.pdf')] }), {}, ' in CVs'],
		['an upload beside an empty field', submission({ CV: upload('cv.pdf'), note: '' }), {}, ' in CV'],
		['a chosen upload', submission({ CV: upload('cv.pdf'), name: 'Ada' }), { stateFields: 'CV' }, ' in CV'],
		['a file in a chat', submission({ ...CHAT, files: [CHAT_FILE] }), {}, ' in files'],
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
		[
			'a voice message of Telegram',
			{ update_id: 1, message: { message_id: 2, chat: { id: 3 }, voice: { file_id: 'A' } } },
			{},
			' in message',
		],
		[
			'a picture of WhatsApp',
			whatsApp({ type: 'image', image: { id: '1', sha256: 'A' } }),
			{},
			' in messages',
		],
		[
			'a file of Slack',
			{ type: 'message', text: '', files: [{ name: 'a.png' }], channel: 'C1', event_ts: '1.2' },
			{},
			' in files',
		],
		[
			'a picture of Discord',
			{ channel_id: '1', content: '', attachments: [{ filename: 'a.png' }] },
			{},
			' in attachments',
		],
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

	test.each<[name: string, item: Item, more: INodeParameters, state: object]>([
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
		const hint = await decision.hint(asking(more), { items: [item, { name: 'Bob' }] });
		expect(sentStates()).toEqual([state, { name: 'Bob' }]);
		expect(hint).toContain(
			"File not read, and not sent: CV (in 1 of 2 items). To have its text judged, read it first with 'Extract from File'.",
		);
	});

	test.each<[name: string, item: Item, more: INodeParameters]>([
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
		[
			'a picture of Telegram with a caption',
			{ update_id: 1, message: { caption: 'Help!', photo: [{ file_id: 'A' }] } },
			{},
		],
		[
			'a picture of WhatsApp with a caption',
			whatsApp({ type: 'image', image: { id: '1', caption: 'Help!' } }),
			{},
		],
		['a text of WhatsApp', whatsApp({ type: 'text', text: { body: 'Help!' } }), {}],
		[
			'a text file of Slack, with its beginning',
			{ text: '', files: [{ name: 'a.txt', preview: 'Help!' }], channel: 'C1', event_ts: '1.2' },
			{},
		],
		['a message of Discord', { channel_id: '1', content: 'Help!', attachments: [] }, {}],
		[
			'a picture of Discord beside the text of a bot',
			{
				channel_id: '1',
				content: '',
				attachments: [{ filename: 'a.png' }],
				embeds: [{ title: 'Release 2.0' }],
			},
			{},
		],
		[
			'an alert that a bot wrote in Slack',
			{ text: '', attachments: [{ fallback: 'CPU is high' }], channel: 'C1', event_ts: '1.2' },
			{},
		],
		[
			'an alert of blocks in Slack',
			{ text: '', attachments: [{ blocks: [{ type: 'section' }] }], channel: 'C1', event_ts: '1.2' },
			{},
		],
		['a location of Telegram', { update_id: 1, message: { location: { latitude: 1 } } }, {}],
		['a description without a file', { attachment: upload('cv.pdf') }, {}],
		['a description with more fields', submission({ CV: { ...upload('cv.pdf'), text: 'I am…' } }), {}],
	])('is not mentioned if nobody chose it: %s', async (_, item, more) => {
		expect(await decision.hint(asking(more), { items: [item] })).not.toMatch(/File not read|name of a file/);
		expect(emulator.requests).toHaveLength(1);
	});

	test.each<[string, IDataObject]>([
		['its name, as of Google Drive', { id: '1', name: 'May.pdf', mimeType: 'application/pdf' }],
		[
			'its name without the extension',
			{ id: '1', name: 'May', mimeType: 'application/vnd.google-apps.document' },
		],
		['its path, as of FTP', { name: '/in/May.pdf', type: '-', size: 4711 }],
	])('has a hint if the item describes it, so that only that was judged: %s', async (_, json) => {
		const binary = { data: { ...FILE, fileName: 'May.pdf' } };
		const hint = await decision.hint(asking(), { items: [{ json, binary }, { text: 'Hi' }] });
		expect(hint).toContain(
			"Only the name of a file was sent: name (in 1 of 2 items). To have its text judged, read it first with 'Extract from File'.",
		);
		expect(await decision.hint(asking({ stateFields: 'name' }), { items: [{ json, binary }] })).not.toContain(
			'name of a file',
		);
		const text = 'We send you the invoice for the month of May.';
		expect(await decision.hint(asking(), { items: [{ json: { ...json, text }, binary }] })).not.toContain(
			'name of a file',
		);
	});

	test('has a hint if Text is nothing but its name', async () => {
		const judging = (stateText: string) => asking({ stateSource: 'text', stateText });
		const binary = { data: { ...FILE, fileName: 'May.pdf' } };
		const items = [
			{ json: {}, binary },
			{ json: {}, binary: { data: { ...FILE, fileName: 'June.pdf' } } },
		];
		expect(await decision.hint(judging('={{ $binary.data.fileName }}\n'), { items })).toContain(
			"Only the name of a file was sent: Text (in 2 of 2 items). To have its text judged, read it first with 'Extract from File'.",
		);
		for (const other of ['=The file {{ $binary.data.fileName }}', '={{ $binary.data.mimeType }}']) {
			expect(await decision.hint(judging(other), { items })).not.toContain('name of a file');
		}
		const fields = [{ name: 'May.pdf' }];
		expect(await decision.hint(judging('={{ $json.name }}'), { items: fields })).not.toContain(
			'name of a file',
		);
	});

	test('is named in the hint if it is among the first five of many fields, escaped', async () => {
		const names = ['<b>', 'b', 'c', 'd', 'e', 'f', 'g'];
		const hintOf = async (count: number) => {
			const uploads = Object.fromEntries(names.slice(0, count).map((name) => [name, upload(name)]));
			return await decision.hint(asking(), { items: [submission({ ...uploads, name: 'Ada' })] });
		};
		const hint = await hintOf(7);
		expect(hint).toContain('File not read, and not sent: &lt;b&gt; (in 1 of 1 item)');
		expect(hint).toContain('Files in 2 more fields were not read');
		expect(await hintOf(6)).toContain('Files in 1 more field were not read');
	});
});
