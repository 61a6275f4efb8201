import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { testWhere } from '../support/host';
import { mostInFlight } from '../support/mostInFlight';
import { nodeDriver, wrongParameter } from '../support/nodeDriver';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator, { items: [{ text: 'hello' }] });

const urgent = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };
const team = {
	id: 'team',
	type: 'choice',
	instructions: 'Which team?',
	options: {
		option: [
			{ name: 'cards', description: 'Card delivery' },
			{ name: 'fees', description: 'Fees' },
		],
	},
};
const upset = {
	id: 'upset',
	type: 'score',
	instructions: 'How upset?',
	levels: { level: [{ description: 'calm' }, { description: 'annoyed' }, { description: 'angry' }] },
};

const asking = (...question: object[]) => ({ questions: { question } }) as unknown as INodeParameters;

const sentBody = (index = 0) => emulator.requests[index]?.body as IDataObject;

/** Makes the service give these answers to every request. */
function answerWithAnswers(answers: object, headers?: Record<string, string>) {
	emulator.answer(
		JSON.stringify({ model: 'Kev-4B', answers, usage: { input_tokens: 7, output_tokens: 3 } }),
		{ path: '/systemone', times: Infinity, headers },
	);
}

describe('answers of many items that have exactly the same numbers', () => {
	const HINT =
		'All 20 answers to "urgent" have exactly the same numbers, although the items differ: check what is sent, and the option \'Model\'.';
	const asking = { questions: { question: [{ id: 'urgent', type: 'noul', instructions: 'Is it urgent?' }] } };
	const itemsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
	const answer = (...probabilities: number[]) => {
		for (const [index, noul] of probabilities.entries()) {
			const body = { model: 'x', answers: { urgent: { type: 'noul', noul } }, usage: {} };
			const times = index === probabilities.length - 1 ? Infinity : 1;
			emulator.fault({ path: '/systemone', status: 200, body, times });
		}
	};

	test('have a hint, because a model that reads them differs', async () => {
		answer(0.731);
		expect(await decision.hint(asking, { items: itemsOf(20) })).toContain(HINT);
		const withUnusable = { ...asking, operation: 'route' };
		emulator.clearFaults();
		answer(2, 0.731);
		expect(await decision.hint(withUnusable, { items: itemsOf(21) })).toContain(HINT);
	});

	test.each<[name: string, probabilities: number[], items: object[]]>([
		['they are fewer', [0.731], itemsOf(19)],
		['one differs', [0.732, 0.731], itemsOf(20)],
		['they are certain, and may be rounded', [0.04], itemsOf(20)],
		['the items are equal', [0.731], Array.from({ length: 20 }, () => ({ n: 1 }))],
	])('have no hint if %s', async (_, probabilities, items) => {
		answer(...probabilities);
		expect(await decision.hint(asking, { items: items as IDataObject[] })).not.toContain('the same numbers');
	});

	test.each<[string, object]>([
		['by the probabilities', { confidence: 0.05, probabilities: { a: 0.5, b: 0.5 } }],
		['by the confidence alone', { confidence: 0 }],
	])('have a hint if no option is more likely than another %s', async (_, certainty) => {
		const team = { type: 'choice', choice: 'a', ...certainty };
		emulator.fault({ path: '/systemone', status: 200, body: { answers: { team } }, times: Infinity });
		const options = { option: [{ name: 'a' }, { name: 'b' }] };
		const question = [{ id: 'team', type: 'choice', instructions: 'Which?', options }];
		expect(await decision.hint({ questions: { question } }, { items: itemsOf(20) })).toContain(
			'All 20 answers to "team" have exactly the same numbers',
		);
	});
});

describe('the request of Answer Questions', () => {
	test('has only the model, the item and the questions of each type', async () => {
		await decision.run(asking(urgent, team, upset), { items: [{ text: 'Where is my card?', amount: 3 }] });
		expect(emulator.requests).toHaveLength(1);
		expect(emulator.requests[0]).toMatchObject({ method: 'POST', path: '/systemone', status: 200 });
		expect(sentBody()).toEqual({
			model: 'Kev-4B',
			state: { text: 'Where is my card?', amount: 3 },
			questions: {
				urgent: { type: 'noul', instructions: 'Is it urgent?' },
				team: {
					type: 'choice',
					instructions: 'Which team?',
					criteria: { cards: 'Card delivery', fees: 'Fees' },
				},
				upset: { type: 'score', instructions: 'How upset?', criteria: ['calm', 'annoyed', 'angry'] },
			},
		});
		expect(emulator.requests[0]?.headers).toMatchObject({
			authorization: `Bearer ${emulator.apiKey}`,
			'content-type': 'application/json',
		});
	});

	test('has the default question if a saved workflow has only its instructions', async () => {
		const asked = asking({ id: 'answer', instructions: 'Is it?' });
		await decision.run({ ...asked, options: { model: 'acme/other' } }, { items: [{ a: 1 }] });
		const questions = { answer: { type: 'noul', instructions: 'Is it?' } };
		expect(sentBody()).toEqual({ model: 'acme/other', state: { a: 1 }, questions });
	});

	test('takes its questions from Questions (JSON), given as text or as an object', async () => {
		const fit = { type: 'noul', instructions: 'Does it fit?' };
		// n8n marks the value of a resource locator by `__rl`.
		const map = { fit, __rl: fit };
		for (const questionsJson of [JSON.stringify(map), `={{ ${JSON.stringify(map, null, 1)} }}`]) {
			emulator.reset();
			const json = await decision.json({ questionsSource: 'json', questionsJson }, { items: [{ a: 'x' }] });
			expect(sentBody().questions).toEqual(map);
			expect(json).toHaveProperty('fit');
		}
	});

	test('has Questions (JSON) with one key in several objects, and texts that look like keys', async () => {
		const same = {
			type: 'choice',
			instructions: '"type": "a", "type": {',
			criteria: { type: '', a: '{"a":' },
		};
		const questionsJson = JSON.stringify({ a: same, type: same });
		await decision.run({ questionsSource: 'json', questionsJson });
		expect(sentBody().questions).toEqual({ a: same, type: same });
	});

	test('has IDs, names of options and levels without the blanks around them', async () => {
		const criteria = { cards: ' as it is ' };
		const sent = {
			team: { type: 'choice', instructions: ' Which? ', criteria },
			upset: { type: 'score', instructions: 'How?', criteria: ['calm', 'very angry'] },
		};
		const options = { option: [{ name: '\tcards ', description: ' as it is ' }] };
		const levels = { level: [{ description: 'calm\n' }, { description: '\u00a0very angry' }] };
		const typed = asking(
			{ ...team, id: ' team', instructions: ' Which? ', options },
			{ ...upset, id: 'upset  ', instructions: 'How?', levels },
		);
		const questionsJson = JSON.stringify({
			' team': { ...sent.team, criteria: { '\tcards ': ' as it is ' } },
			'upset  ': { ...sent.upset, criteria: ['calm\n', '\u00a0very angry'] },
		});
		for (const parameters of [typed, { questionsSource: 'json', questionsJson }]) {
			emulator.reset();
			const json = await decision.json(parameters);
			expect(sentBody().questions).toEqual(sent);
			expect(Object.keys(json)).toEqual(expect.arrayContaining(['team', 'upset', 'upset_level']));
		}
	});

	test('has a criterion that is null as empty text, and lacks no other field', async () => {
		const given = (text: string | null) => ({
			team: { type: 'choice', instructions: 'Which team?', criteria: { billing: text, other: 'The rest' } },
			upset: { type: 'score', instructions: 'How upset?', criteria: [text, 'annoyed', 'angry'], more: 1 },
			fit: { type: 'noul', instructions: 'Does it fit?', criteria: { true: null } },
		});
		const questionsJson = JSON.stringify(given(null));
		await decision.run({ questionsSource: 'json', questionsJson }, { items: [{ a: 'x' }] });
		expect(sentBody().questions).toEqual(given(''));
	});
});

describe('of the input,', () => {
	test('Fields to Send sends only the named fields, and takes a name with a dot literally', async () => {
		await decision.run(
			{ ...asking(urgent), stateFields: ' a.b , missing,é' },
			{ items: [{ 'a.b': 1, a: { b: 2 }, é: 3, other: 4 }] },
		);
		expect(sentBody().state).toEqual({ 'a.b': 1, é: 3 });
	});

	test('Fields to Send sends the chosen entries of a list without gaps', async () => {
		const items = [{ tags: ['a', 'b', { deep: ['c', 'd'], other: 1 }], text: 'hello' }];
		await decision.json({ ...asking(urgent), stateFields: 'tags[2].deep[1], tags[0]' }, { items });
		expect(sentBody().state).toEqual({ tags: ['a', { deep: ['d'] }] });
	});

	test('Text is sent with its expressions resolved', async () => {
		await decision.run(
			{ ...asking(urgent), stateSource: 'text', stateText: '=Says: {{ $json.a }}' },
			{ items: [{ a: 'x' }] },
		);
		expect(sentBody().state).toBe('Says: x');
	});

	test.each([
		['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
		['["one","two"]', ['one', 'two']],
		['"a text"', 'a text'],
		['{}', {}],
		['[]', []],
		['""', ''],
		['={{ [] }}', []],
		['={{ "{}" }}', {}],
		['={{ { "__rl": true, "value": "x" } }}', { __rl: true, value: 'x' }],
		['={{ { "deep": $json } }}', { deep: { a: 'x' } }],
		['={{ [$json.a] }}', ['x']],
		['={{ $json.a }}', 'x'],
		['={ "name": "{{ $json.a }}" }', { name: 'x' }],
		['={{ "[EXT] Re: " + $json.a }}', '[EXT] Re: x'],
		['=Re: [{{ $json.a }}] and {more}', 'Re: [x] and {more}'],
		['= {{ "[" + $json.a }} ', ' [x '],
	])('Input JSON sends %s as %j', async (stateJson, state) => {
		await decision.run({ ...asking(urgent), stateSource: 'json', stateJson }, { items: [{ a: 'x' }] });
		expect(sentBody().state).toEqual(state);
	});

	test('an item without JSON is refused as an item without fields', async () => {
		const items = [{ json: undefined as unknown as IDataObject, binary: {} }];
		expect((await decision.error(asking(urgent), { items })).message).toMatch(/needs an input item/);
	});

	test.each([
		...['1', 'true', 'null', '={{ 5 }}', '={{ null }}', '={{ true }}'].map((json) => [
			json,
			'must be an object, a list or text',
		]),
		['{broken', 'must be valid JSON'],
		['no JSON', 'must be valid JSON'],
		['={ "name": "{{ $json.text }} }', 'must be valid JSON'],
		['={{ "[" }}{{ $json.text }}', 'must be valid JSON'],
		['', 'must not be empty'],
	])('Input JSON refuses %j before it sends a request', async (stateJson, rule) => {
		const refusal = await decision.refusal({ ...asking(urgent), stateSource: 'json', stateJson });
		expect(refusal).toMatch(wrongParameter('stateJson', rule));
	});

	test.each<[name: string, parameters: INodeParameters, message: string]>([
		['text', { stateText: ' ' }, wrongParameter('stateText', 'must not be empty')],
		['null', { stateText: '={{ null }}' }, wrongParameter('stateText', 'must be text, but its expression')],
		['a blank expression', { stateText: '={{ " " }}' }, 'The item has no text to judge: "Text" (stateText)'],
	])('Text refuses an empty value before it sends a request: %s', async (_, parameters, message) => {
		const refusal = await decision.refusal({ ...asking(urgent), stateSource: 'text', ...parameters });
		expect(refusal).toContain(message);
	});

	test('Fields to Send says how to write a name that contains a comma, and takes it as it says', async () => {
		const items = [{ "What's wrong, in short?": 'It rattles.', age: 3 }];
		const error = await decision.error(
			{ ...asking(urgent), stateFields: "What's wrong, in short?" },
			{ items },
		);
		const [, written] = /A comma separates names\. Write (.+), or drag the field/.exec(
			String(error.description),
		)!;
		expect(written).toBe(String.raw`['What\'s wrong, in short?']`);
		await decision.run({ ...asking(urgent), stateFields: written! }, { items });
		expect(emulator.requests).toHaveLength(1);
		expect(emulator.requests[0]!.body).toMatchObject({ state: { "What's wrong, in short?": 'It rattles.' } });
	});

	test.each<[string, string]>([
		['What is wrong with your animal', 'What is wrong with your animal?'],
		['email_address', 'Email address'],
	])('the error suggests the field that differs from "%s" only in signs', async (stateFields, field) => {
		const items = [{ Name: 'Ada', [field]: 'It limps.' }];
		const error = await decision.error({ ...asking(urgent), stateFields }, { items });
		expect(error).toMatchObject({
			message: expect.stringContaining(`must name at least one field of the input, not ${stateFields}.`),
			description: `Nothing was sent for this item. Did you mean "${field}"? Drag the field from the input.`,
		});
		const other = await decision.error({ ...asking(urgent), stateFields: 'Address' }, { items });
		expect(other.description).not.toContain('Did you mean');
	});

	test('an item or chosen fields without a value are refused before a request is sent', async () => {
		const stateFields = 'missing, gone';
		expect(await decision.refusal({ ...asking(urgent), stateFields }, { items: [{ a: 1, b: 2 }] })).toBe(
			wrongParameter(
				'stateFields',
				'must name at least one field of the input, not missing, gone. It has: a, b',
			),
		);
		const blank = { a: null, b: ' \n', c: { d: '' } };
		for (const names of ['a', 'a, b', 'c.d, gone']) {
			const error = await decision.error({ ...asking(urgent), stateFields: names }, { items: [blank] });
			expect(error).toMatchObject({
				message: `The item has nothing to judge in ${names}. It has: a, b, c`,
				description: expect.stringContaining(
					"filter such items out. The operation 'Route' sends them to its output 'Uncertain'.",
				),
			});
		}
		expect(await decision.refusal(asking(urgent), { items: [{}] })).toMatch(
			wrongParameter('stateSource', 'needs an input item with at least one field'),
		);
		for (const [names, item] of [
			['a, e', { ...blank, e: 0 }],
			['a, e', { ...blank, e: false }],
			['', { a: 0 }],
		] as const) {
			await decision.run({ ...asking(urgent), stateFields: names }, { items: [item] });
		}
		expect(emulator.requests).toHaveLength(3);
	});

	test('references to files are left out, but metadata of files from an API is sent', async () => {
		const reference = {
			mimeType: 'audio/mpeg',
			fileName: 'a.mp3',
			data: 'filesystem-v2',
			id: 'filesystem-v2:workflows/1',
		};
		const drive = { id: '1aBc', name: 'plan.pdf', mimeType: 'application/pdf' };
		await decision.run(asking(urgent), {
			items: [
				{ text: 'x', drive, _files: { data: reference }, copies: [reference, 'kept'], one: { reference } },
			],
		});
		expect(sentBody().state).toEqual({ text: 'x', drive, copies: ['kept'], one: {} });
		expect(JSON.stringify(emulator.requests[0]?.body)).not.toContain('filesystem-v2');
	});

	test('Fields to Send leaves out a reference to a file, and sends the fields next to it', async () => {
		const reference = { mimeType: 'audio/mpeg', data: 'filesystem-v2', id: 'filesystem-v2:workflows/1' };
		const items = [{ text: 'x', _files: { data: reference, cover: reference }, copy: reference }];
		await decision.run({ ...asking(urgent), stateFields: 'text, copy, _files.data' }, { items });
		expect(sentBody().state).toEqual({ text: 'x' });
	});

	test.each([
		['note, copy', 'copy'],
		['note, _files', '_files'],
		['note, _files.data', '_files'],
	])(
		'a file chosen in Fields to Send beside fields without a value is nothing to judge (%s)',
		async (stateFields, name) => {
			const reference = { mimeType: 'audio/mpeg', data: 'filesystem-v2', id: 'filesystem-v2:workflows/1' };
			const items = [{ note: null, _files: { data: reference }, copy: reference }];
			expect(await decision.refusal({ ...asking(urgent), stateFields }, { items })).toMatch(
				`The item has nothing to judge but a file in ${name}, and this node does not read files`,
			);
		},
	);

	test('files whose content is in the JSON are left out, but other objects with the same fields are sent', async () => {
		const file = { mimeType: 'text/plain', data: 'aGk=' };
		const items = [
			{ mine: file, known: { ...file, fileExtension: 'txt' }, old: { ...file, fileType: 'text' } },
		];
		const mails = ['1aBc', 7, null].map((id) => ({ ...file, id }));
		await decision.run(asking(urgent), { items: items.map((item) => ({ ...item, mails })) });
		expect(sentBody().state).toEqual({ mine: file, mails });
	});
});

describe("the item's field _files", () => {
	test('is sent without its files if it also has something else', async () => {
		const file = { mimeType: 'text/plain', data: 'filesystem-v2', id: 'filesystem-v2:1' };
		await decision.run(asking(urgent), { items: [{ text: 'x', _files: { file, note: 'y' } }] });
		expect(sentBody().state).toEqual({ text: 'x', _files: { note: 'y' } });
	});

	test.each([[{ note: 'x' }], ['none'], [[1]], [null]])(
		'is sent unchanged if it has no files: %j',
		async (files) => {
			await decision.run(asking(urgent), { items: [{ text: 'x', _files: files as IDataObject }] });
			expect(sentBody().state).toEqual({ text: 'x', _files: files });
		},
	);
});

describe('before it sends a request, Answer Questions', () => {
	const level = (count: number) => ({
		level: Array.from({ length: count }, (_, i) => ({ description: `level ${i}` })),
	});

	test.each<[name: string, questions: object[], message: RegExp | string]>([
		['no question', [], wrongParameter('questions', 'must have at least one question')],
		['no ID', [{ ...urgent, id: ' ' }], /question 1 must have an ID/],
		['an ID twice', [urgent, { ...upset, id: 'urgent' }], /question "urgent".*IDs must be unique/],
		[
			'no instructions',
			[{ ...urgent, instructions: ' ' }],
			/question "urgent": "Question" \(instructions\) must not be empty/,
		],
		[
			'instructions that are NaN',
			[{ ...urgent, id: '={{ 5 }}', instructions: '={{ NaN }}' }],
			/question "5".*must not be NaN/,
		],
		[
			'an unknown type',
			[{ ...urgent, type: 'essay' }],
			/question "urgent".*must be one of Choice, Score, Tags, Yes or No, not "essay"/,
		],
		['no option', [{ ...team, options: {} }], /question "team".*at least one option/],
		[
			'an unnamed option among others',
			[{ ...team, options: { option: [{ name: 'cards' }, { name: ' ' }] } }],
			/question "team" must have a name for every option: option 2 has none/,
		],
		[
			'an option named by a field that is missing',
			[{ ...team, options: { option: [{ name: '={{ $json.name }}' }] } }],
			/question "team".*name for every option/,
		],
		[
			'an option twice',
			[{ ...team, options: { option: [{ name: 'a' }, { name: 'a' }] } }],
			/question "team".*two options named "a"/,
		],
		[
			'an option with two kinds of spaces',
			[{ ...team, options: { option: [{ name: 'lost card' }, { name: 'lost\u00a0card' }] } }],
			/question "team".*two options named "lost card"/,
		],
		[
			'an option with and without a character that nobody sees',
			[{ ...team, options: { option: [{ name: 'a' }, { name: 'a\u200b' }] } }],
			/question "team".*two options named "a"/,
		],
		['an ID in which nobody sees anything', [{ ...urgent, id: '\u200b' }], /question 1 must have an ID/],
		[
			'two IDs that look the same',
			[
				{ ...urgent, id: 'a' },
				{ ...urgent, id: 'a\u200b' },
			],
			/question "a" shares its ID with another question/,
		],
		[
			'a question in which nobody sees anything',
			[{ ...urgent, instructions: '\ufeff\u200b' }],
			/"Question" \(instructions\) must not be empty/,
		],
		[
			'an option in whose name nobody sees anything',
			[{ ...team, options: { option: [{ name: '\u200b' }] } }],
			/question "team" must have a name for every option: option 1 has none/,
		],
		[
			'an option in two Unicode forms',
			[{ ...team, options: { option: [{ name: 'Ré' }, { name: 'Re\u0301' }] } }],
			/question "team".*two options named "Ré"/,
		],
		[
			'an option with and without blanks',
			[{ ...team, options: { option: [{ name: 'a' }, { name: ' a ' }] } }],
			/question "team".*two options named "a"/,
		],
		[
			'an ID with and without blanks',
			[urgent, { ...upset, id: ' urgent\t' }],
			/question "urgent".*IDs must be unique/,
		],
		[
			'an ID in two Unicode forms',
			[
				{ ...urgent, id: 'Ré' },
				{ ...urgent, id: 'Re\u0301' },
			],
			/question "Ré".*IDs must be unique/,
		],
		[
			'a column in two Unicode forms',
			[
				{ ...urgent, id: 'Ré' },
				{ ...urgent, id: 'Re\u0301_yes' },
			],
			/has the output column/,
		],
		['one level', [{ ...upset, levels: level(1) }], /question "upset".*2 to 10 levels/],
		['eleven levels', [{ ...upset, levels: level(11) }], /question "upset".*2 to 10 levels/],
		[
			'a level without a description',
			[{ ...upset, levels: { level: [{ description: 'a' }, {}] } }],
			/question "upset" must have a description for every level: level 2 has none/,
		],
		[
			'two columns of one name',
			[
				{ ...urgent, id: 'a' },
				{ ...urgent, id: 'a_yes' },
			],
			/question "a_yes".*"a_yes"/,
		],
		['a column called error', [{ ...urgent, id: 'error' }], /question "error".*failed item/],
	])('refuses wrong questions: %s', async (_, questions, message) => {
		const text = await decision.refusal(asking(...questions));
		expect(text).toMatch(message);
	});

	test.each<[questionsJson: unknown, message: RegExp | string]>([
		['', wrongParameter('questionsJson', 'must not be empty')],
		['{', wrongParameter('questionsJson', 'must be valid JSON')],
		['[]', wrongParameter('questionsJson', 'must be an object whose field names are question IDs')],
		['{}', wrongParameter('questionsJson', 'must have at least one')],
		[
			'{"a": {"type": "noul", "instructions": "x"}, " ": {"type": "noul", "instructions": "x"}}',
			wrongParameter('questionsJson', 'must give every question an ID'),
		],
		['{"a": 1}', /question "a".*object/],
		['{"a": {"type": "essay", "instructions": "x"}}', /question "a".*noul, choice or score/],
		['{"a": {"type": "noul"}}', /question "a".*instructions/],
		[
			'{"a": {"type": "choice", "instructions": "x", "criteria": ["b"]}}',
			/question "a".*criteria: an object with a description for each option/,
		],
		['{"a": {"type": "choice", "instructions": "x", "criteria": {"b": 1}}}', /question "a".*criteria/],
		['{"a": {"type": "score", "instructions": "x", "criteria": {"b": "c"}}}', /question "a".*criteria/],
		['{"a": {"type": "score", "instructions": "x", "criteria": ["b", 1]}}', /question "a".*criteria/],
		['{"a": {"type": "choice", "instructions": "x", "criteria": null}}', /question "a".*criteria/],
		['{"a": {"type": "choice", "instructions": "x", "criteria": {}}}', /question "a".*at least one option/],
		['{"a": {"type": "score", "instructions": "x", "criteria": ["b"]}}', /question "a".*2 to 10 levels/],
		['{"a": {"type": "tags", "instructions": "x"}}', /question "a" must be of type noul, choice or score/],
		[
			'{"a": {"type": "choice", "instructions": "x", "criteria": {"b": "", " ": ""}}}',
			/question "a" must have a name for every option: option 2 has none/,
		],
		[
			'{"a": {"type": "noul", "instructions": "x"}, " a": {"type": "noul", "instructions": "y"}}',
			/question "a".*IDs must be unique/,
		],
		[
			'{"a": {"type": "noul", "instructions": "x"}, "a" : {"type": "noul", "instructions": "y"}}',
			wrongParameter('questionsJson', 'must not have "a" twice in one object'),
		],
		[
			'{"a": {"type": "choice", "instructions": "x", "criteria": {"b\\"": "", "c": "{", "b\\u0022": ""}}}',
			wrongParameter('questionsJson', 'must not have "b"" twice in one object'),
		],
		[
			'={"a": {"type": "noul", "instructions": "{{ $json.text }}", "more": [{"x": 1, "y": {"x": 2}, "x": 3}]}}',
			wrongParameter('questionsJson', 'must not have "x" twice in one object'),
		],
	])('refuses %j as Questions (JSON)', async (questionsJson, message) => {
		expect(await decision.refusal({ questionsSource: 'json', questionsJson } as INodeParameters)).toMatch(
			message,
		);
	});

	test.each<[INodeParameters, RegExp | string]>([
		[{ outputField: 'error' }, wrongParameter('options.outputField', 'must not be "error"')],
		[
			{ includeMetadata: true, outputField: 'model' },
			wrongParameter('options.outputField', 'must not be "model"'),
		],
		[{ concurrency: 65 }, wrongParameter('options.concurrency', 'must be a whole number from 1 to 64')],
		[{ timeout: 3_600_001 }, wrongParameter('options.timeout', 'must be a whole number from 1 to 3600000')],
		[{ traceId: 'é' }, wrongParameter('options.traceId', 'must consist of printable ASCII')],
	])('refuses wrong options: %j', async (options, message) => {
		expect(await decision.refusal({ ...asking(urgent), options })).toMatch(message);
	});

	const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
	const PARENT = '00f067aa0ba902b7';
	test.each([
		'order-4711',
		'a\nb',
		TRACE,
		`00-${TRACE}-${PARENT}`,
		`00-${TRACE}-${PARENT}-1`,
		`00-${TRACE}-${PARENT}-01-`,
		`00-${TRACE}-${PARENT}-01-more`,
		`0-${TRACE}-${PARENT}-01`,
		`00-${TRACE.slice(1)}-${PARENT}-01`,
		`00-${TRACE}-${PARENT.slice(1)}-01`,
		`00-${TRACE.toUpperCase()}-${PARENT}-01`,
		`00-${'g'.repeat(32)}-${PARENT}-01`,
		`00-${'0'.repeat(32)}-${PARENT}-01`,
		`00-${TRACE}-${'0'.repeat(16)}-01`,
		`ff-${TRACE}-${PARENT}-01`,
		`01-${TRACE}-${PARENT}-01more`,
		`01-${TRACE}-${PARENT}-01-é`,
	])('refuses %j as Traceparent', async (traceparent) => {
		expect(await decision.refusal({ ...asking(urgent), options: { traceparent } })).toMatch(
			wrongParameter('options.traceparent', 'must be a W3C traceparent'),
		);
	});

	test.each([`01-${TRACE}-${PARENT}-01`, `cc-${TRACE}-${PARENT}-00-what-comes-later`])(
		'accepts a Traceparent of a later version: %s',
		async (traceparent) => {
			await decision.json({ ...asking(urgent), options: { traceparent } });
			expect(emulator.requests[0]?.headers).toMatchObject({ traceparent });
		},
	);

	test('refuses a question whose column has the name of a metadata column', async () => {
		expect(
			await decision.refusal({ ...asking({ ...urgent, id: 'model' }), options: { includeMetadata: true } }),
		).toMatch(/question "model".*which the node adds itself/);
	});

	test('fails only the item that has a wrong value', async () => {
		const items = await decision.items(
			{ ...asking(urgent), stateSource: 'text', stateText: '={{ $json.t }}' },
			{ items: [{ t: 'one' }, { t: '' }, { t: 'three' }], onError: 'continueRegularOutput' },
		);
		expect(emulator.requests).toHaveLength(2);
		expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, false]);
		expect(items[1]?.json.error).toMatchObject({
			item_index: 1,
			message:
				'The item has no text to judge: "Text" (stateText) says nothing, because {{ $json.t }} is empty [item 1]',
		});
	});
});

describe('in its output, Answer Questions', () => {
	test('has the columns of each type of question next to the input fields', async () => {
		answerWithAnswers({
			urgent: { type: 'noul', noul: 0.5 },
			team: { type: 'choice', choice: 'fees', confidence: 0.8, probabilities: { cards: 0.2, fees: 0.8 } },
			upset: { type: 'score', score: 1.5, confidence: 0.6 },
		});
		expect(
			await decision.json(asking(urgent, team, upset), { items: [{ text: 'hello', urgent: 'old' }] }),
		).toEqual({
			text: 'hello',
			urgent: 0.5,
			urgent_yes: true,
			team: 'fees',
			team_confidence: 0.8,
			upset: 1.5,
			upset_level: 'angry',
			upset_confidence: 0.6,
		});
	});

	test.each([
		[0.49999999999999994, 'calm'],
		[0.5, 'annoyed'],
		[2, 'angry'],
	])('rounds the score %d to the level %s', async (score, level) => {
		answerWithAnswers({ upset: { type: 'score', score } });
		const columns = { upset: score, upset_level: level, upset_confidence: null };
		expect(await decision.json(asking(upset))).toEqual({ text: 'hello', ...columns });
	});

	test.each([
		[1.0000005, { urgent: 1, urgent_yes: true }, 2.0000005, { upset: 2, upset_level: 'angry' }],
		[-0.0000005, { urgent: 0, urgent_yes: false }, -0.0000005, { upset: 0, upset_level: 'calm' }],
	])(
		'has the end of the scale for a probability of %d (%j) and a score of %d (%j), which rounding put outside',
		async (noul, yesOrNo, score, level) => {
			answerWithAnswers({ urgent: { type: 'noul', noul }, upset: { type: 'score', score } });
			expect(await decision.json(asking(urgent, upset))).toMatchObject({ ...yesOrNo, ...level });
		},
	);

	test('has false in the column of yes for a probability below 0.5', async () => {
		answerWithAnswers({ urgent: { type: 'noul', noul: 0.4999 } });
		expect(await decision.json(asking(urgent))).toMatchObject({ urgent_yes: false });
	});

	test('adds the probabilities of each choice and score, or null, with Include Probabilities on', async () => {
		const probabilities = { cards: 0.2, fees: 0.8 };
		answerWithAnswers({
			urgent: { type: 'noul', noul: 1 },
			team: { type: 'choice', choice: 'fees', confidence: 0.8, probabilities },
			upset: { type: 'score', score: 1, probabilities: [1] },
		});
		const options = { includeProbabilities: true, includeOtherFields: false };
		const json = await decision.json({ ...asking(urgent, team, upset), options });
		expect(Object.keys(json)).toEqual([
			...['urgent', 'urgent_yes', 'team', 'team_confidence', 'team_probabilities'],
			...['upset', 'upset_level', 'upset_confidence', 'upset_probabilities'],
		]);
		expect(json).toMatchObject({ team_probabilities: probabilities, upset_probabilities: null });
	});

	test.each([
		['nothing', '', null],
		['null', ',"confidence":null', null],
		['a text', ',"confidence":"0.9"', null],
		['a number beyond all', ',"confidence":1e400', null],
		['less than 0', ',"confidence":-0.5', -0.5],
		['a percentage', ',"confidence":93', 93],
	])(
		'has a confidence that is a number, and null for any other value: %s',
		async (_, confidence, expected) => {
			const answers = `{"team":{"type":"choice","choice":"cards"${confidence}}}`;
			emulator.answer(`{"answers":${answers}}`);
			expect(await decision.json(asking(team), { items: [{ a: 1 }] })).toEqual({
				a: 1,
				team: 'cards',
				team_confidence: expected,
			});
		},
	);

	test('adds metadata with the key masked with Include Metadata on, and puts the answers into Output Field', async () => {
		answerWithAnswers(
			{ urgent: { type: 'noul', noul: 1 } },
			{ 'x-service-trace-id': `9 ${emulator.apiKey}` },
		);
		expect(
			await decision.json(
				{
					...asking(urgent),
					options: { includeMetadata: true, outputField: 'decision', includeOtherFields: false },
				},
				{ items: [{ a: 1 }] },
			),
		).toEqual({
			decision: { urgent: 1, urgent_yes: true },
			model: 'Kev-4B',
			input_tokens: 7,
			output_tokens: 3,
			trace_id: '9 *****',
		});
	});

	test('accepts a question called error if Output Field is set', async () => {
		answerWithAnswers({ error: { type: 'noul', noul: 1 } });
		const parameters = { ...asking({ ...urgent, id: 'error' }), options: { outputField: 'decision' } };
		expect(await decision.json(parameters, { items: [{ a: 1 }] })).toEqual({
			a: 1,
			decision: { error: 1, error_yes: true },
		});
	});

	test('has the response body, the trace ID and no input fields with Simplify off, although Include Other Input Fields is on', async () => {
		answerWithAnswers(
			{ urgent: { type: 'noul', noul: 1, extra: ['kept'] } },
			{ 'x-service-trace-id': 'trace-9' },
		);
		const json = await decision.json(
			{ ...asking(urgent), simplify: false, options: { includeOtherFields: true } },
			{ items: [{ a: 1 }] },
		);
		expect(json).toEqual({
			model: 'Kev-4B',
			answers: { urgent: { type: 'noul', noul: 1, extra: ['kept'] } },
			usage: { input_tokens: 7, output_tokens: 3 },
			trace_id: 'trace-9',
		});
	});

	test('has an input field called error as input_error, and passes binary data on', async () => {
		const binary = { file: { data: 'aGk=', mimeType: 'text/plain', fileName: 'a.txt' } };
		const [item] = await decision.items(asking(urgent), {
			items: [{ json: { text: 'x', error: 'old' }, binary }],
		});
		expect(item?.json).toMatchObject({ text: 'x', input_error: 'old' });
		expect(item?.json).not.toHaveProperty('error');
		expect(item?.binary).toEqual(binary);
	});

	test('leaves out input fields and files with Include Other Input Fields off', async () => {
		const binary = { file: { data: 'aGk=', mimeType: 'text/plain' } };
		const [item] = await decision.items(
			{ ...asking(urgent), options: { includeOtherFields: false } },
			{ items: [{ json: { text: 'x' }, binary }] },
		);
		expect(Object.keys(item!.json)).toEqual(['urgent', 'urgent_yes']);
		expect(item).not.toHaveProperty('binary');
	});

	test.each(['__rl', '__proto__', 'constructor', '1', 'a.b', 'é', 'hasOwnProperty', '$json', 'x  y'])(
		'accepts %j as the ID of a question and as the name of an option',
		async (name) => {
			const question = { ...team, id: name, options: { option: [{ name, description: 'this one' }] } };
			const json = await decision.json(
				{ ...asking(question), options: { includeOtherFields: false } },
				{ items: [{ a: 'hello' }] },
			);
			const rawBody = emulator.requests[0]!.rawBody.toString();
			expect(rawBody).toContain(`"questions":{${JSON.stringify(name)}:`);
			expect(Object.entries(json)).toEqual([
				[name, name],
				[`${name}_confidence`, expect.any(Number)],
			]);
		},
	);

	test.each([
		['Réclamation', 'Re\u0301clamation'],
		['Re\u0301clamation', 'Réclamation'],
		['\u1109\u1173', '\uc2a4'],
	])('spells %j as in the node if the service answers in another Unicode form', async (mine, other) => {
		const probabilities = { [other]: 0.8, autre: 0.2 };
		answerWithAnswers({ [other]: { type: 'choice', choice: other, confidence: 0.6, probabilities } });
		const options = { option: [{ name: mine }, { name: 'autre' }] };
		const json = await decision.json({
			...asking({ ...team, id: mine, options }),
			options: { includeProbabilities: true, includeOtherFields: false },
		});
		expect(json).toEqual({
			[mine]: mine,
			[`${mine}_confidence`]: 0.6,
			[`${mine}_probabilities`]: { [mine]: 0.8, autre: 0.2 },
		});
	});

	test('has the items in the order of the input, in whatever order the answers arrive', async () => {
		const items = Array.from({ length: 12 }, (_, n) => ({ n }));
		emulator.fault({ bodyIncludes: '"n":0}', delayMs: 60 });
		emulator.fault({ bodyIncludes: '"n":5}', delayMs: 30 });
		const output = await decision.items(asking(urgent), { items });
		expect(output.map(({ json, pairedItem }) => [json.n, pairedItem])).toEqual(
			items.map(({ n }) => [n, { item: n }]),
		);
	});

	test('has nothing if there are no input items, with which the node does not run', async () => {
		const { outputs } = await decision.run({ ...asking(urgent) }, { items: [] });
		expect(() => outputs()).toThrow('did not run');
	});
});

testWhere('tokenDisplay')("n8n's display of tokens counts those of every decision", async () => {
	const usage = { input_tokens: 40, output_tokens: 2 };
	const body = { model: 'Kev-4B', answers: { urgent: { type: 'noul', noul: 1 } }, usage };
	emulator.answer(body, { times: Infinity });
	const { run } = await decision.run(asking(urgent), { items: [{ a: 1 }, { a: 2 }] });
	expect(run.data.resultData.runData.Node![0]!.metadata).toMatchObject({
		tokenUsage: { inputTokens: 80, outputTokens: 4 },
	});
});

testWhere('tokenDisplay')(
	"n8n's display counts the tokens of a run that an item's failure ends",
	async () => {
		const usage = { input_tokens: 40, output_tokens: 2 };
		const answers = { urgent: { type: 'noul', noul: 1 } };
		emulator.answer({ model: 'Kev-4B', answers, usage });
		emulator.fault({ status: 400, body: { error: 'No' } });
		const parameters = { ...asking(urgent), options: { concurrency: 1 } };
		const { run } = await decision.run(parameters, { items: [{ a: 1 }, { a: 2 }] });
		const { error, metadata } = run.data.resultData.runData.Node![0]!;
		expect(error).toBeDefined();
		expect(metadata).toMatchObject({ tokenUsage: { inputTokens: 40, outputTokens: 2 } });
	},
);

test.each([
	[{}, 8],
	[{ concurrency: 3 }, 3],
	[{ concurrency: 1 }, 1],
])('the options %j allow at most %d requests in flight', async (options, most) => {
	const parameters = { ...asking(urgent), options };
	expect(await mostInFlight(emulator, decision, parameters, most)).toBe(most);
});

describe('to trace requests,', () => {
	test('each request has its own trace ID with the execution ID in it', async () => {
		await decision.run(asking(urgent), { items: [{ a: 1 }, { a: 2 }], executionId: '4711' });
		const ids = emulator.requests.map(({ headers }) => headers['x-trace-id']);
		expect(new Set(ids).size).toBe(2);
		for (const id of ids) expect(id).toContain('4711');
	});

	test('a repeated request has a new trace ID', async () => {
		emulator.fault({ status: 503 });
		await decision.run(asking(urgent), { items: [{ a: 1 }] });
		const [first, second] = emulator.requests.map(({ headers }) => headers['x-trace-id']);
		expect(second).toMatch(/./);
		expect(second).not.toBe(first);
	});

	test('Trace ID is sent unchanged, and is returned as trace_id', async () => {
		const json = await decision.json(
			{ ...asking(urgent), options: { traceId: 'order-1', includeMetadata: true } },
			{ items: [{ a: 1 }] },
		);
		expect(emulator.requests[0]?.headers['x-trace-id']).toBe('order-1');
		expect(json.trace_id).toBe('order-1');
	});

	test('Traceparent is sent without a further trace ID, and its own trace ID is returned', async () => {
		const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
		const options = { traceparent, includeMetadata: true, maxRetries: 0 };
		const json = await decision.json({ ...asking(urgent), options });
		expect(emulator.requests[0]?.headers).toMatchObject({ traceparent });
		expect(emulator.requests[0]?.headers).not.toHaveProperty('x-trace-id');
		expect(json.trace_id).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
		emulator.fault({ cut: 'before-headers' });
		const error = await decision.error({ ...asking(urgent), options });
		expect(error.trace_id).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
	});
});

describe('a response without the expected answers', () => {
	const yes = { type: 'noul', noul: 1 };
	const cards = { type: 'choice', choice: 'cards' };

	test.each<[name: string, answers: object, message: RegExp]>([
		['lacks an answer', { urgent: yes }, /no answer to question "team"/],
		['has an answer to no question', { urgent: yes, team: cards, more: yes }, /not asked: "more"/],
		['has an answer of another type', { urgent: { type: 'score', score: 1 }, team: cards }, /type "score"/],
		[
			'has an answer of no type',
			{ urgent: { noul: 1 }, team: cards },
			/"urgent" must have type "noul", but has no type/,
		],
		['has an answer without a value', { urgent: { type: 'noul' }, team: cards }, /"urgent" that lacks/],
		['has null as an answer', { urgent: null, team: cards }, /"urgent"/],
		['has a probability above 1', { urgent: { ...yes, noul: 5 }, team: cards }, /noul is 5$/],
		['has a negative probability', { urgent: { ...yes, noul: -0.1 }, team: cards }, /noul is -0\.1$/],
		['has a probability as text', { urgent: { ...yes, noul: '0.93' }, team: cards }, /noul is "0\.93"$/],
		[
			'has a choice that is no option',
			{ urgent: yes, team: { ...cards, choice: 'zzz' } },
			/"team".*choice is "zzz"$/,
		],
	])('fails if it %s', async (_, answers, message) => {
		answerWithAnswers(answers);
		const parameters = asking(urgent, team);
		const error = await decision.error(parameters, { items: [{ a: 1 }] });
		expect(error).toMatchObject({ message: expect.stringMatching(message), attempts: 1 });
	});

	test.each([{ request: 'r1' }, { answers: null }, { answers: {} }])(
		"fails with the service's message if it has status 200, but is an error with the fields %j",
		async (fields) => {
			const body = { code: 50001, message: 'Not for this account', ...fields };
			emulator.answer(body);
			const error = await decision.error(asking(urgent));
			expect(error).toMatchObject({ message: 'Not for this account', code: 50001 });
		},
	);

	test.each(['2.1', '-0.1', '1e400'])(
		'fails if it has a score of %s, which is off the scale',
		async (score) => {
			emulator.answer(`{"answers":{"upset":{"type":"score","score":${score}}}}`);
			const error = await decision.error(asking(upset));
			expect(error.message).toMatch(/question "upset" with an impossible value: score is/);
		},
	);
});
