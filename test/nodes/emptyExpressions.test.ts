import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { nodeDriver, wrongParameter, type NodeDriver, type NodeInput } from '../support/nodeDriver';
import { uploading } from '../support/uploading';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const decision = nodeDriver('decision', emulator);
const message = nodeDriver('message', emulator);
const account = nodeDriver('account', emulator);
const voice = nodeDriver('voice', emulator);
const batch = nodeDriver('batch', emulator);

const urgent = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };

const asking = (more: object = {}, question: object = urgent) =>
	({
		questions: { question: [question] },
		stateSource: 'text',
		stateText: 'Help!',
		...more,
	}) as INodeParameters;

const routing = (more: object = {}) => asking({ operation: 'route', ...more });

const evaluating = (more: object) =>
	({ operation: 'evaluate', answerField: 'a', expectedField: 'e', ...more }) as INodeParameters;

const saying = (content: unknown, more: object = {}) =>
	({
		model: 'acme/quick-1',
		messages: { message: [content].flat().map((text) => ({ role: 'user', content: text as string })) },
		...more,
	}) as INodeParameters;

const sayingJson = (messagesJson: string) => saying([], { messagesSource: 'json', messagesJson });

const deleting = (value: unknown) =>
	({ operation: 'delete', uri: { __rl: true, mode: 'uri', value } }) as INodeParameters;

const offering = (tool: object) =>
	saying('Hi', { options: { tools: { tool: [{ name: 'find', inputSchema: '{}', ...tool }] } } });

/** Returns the part of the hint after a run that is about expressions. */
async function emptiesAfter(node: NodeDriver<NodeInput>, parameters: INodeParameters, items: IDataObject[]) {
	const hint = await node.hint(parameters, { items });
	return hint.split('<br>').find((line) => line.startsWith('Check the expressions: '));
}

describe('a parameter that decides or limits something', () => {
	const MISSING = '{{ $json.x }}';

	test.each<[name: string, node: NodeDriver<NodeInput>, parametersOf: (value: unknown) => INodeParameters]>([
		['routing.minConfidence', decision, (minConfidence) => routing({ routing: { minConfidence } })],
		['routing.yesAtLeast', decision, (yesAtLeast) => routing({ routing: { yesAtLeast } })],
		['routing.noBelow', decision, (noBelow) => routing({ routing: { noBelow } })],
		['options.spotCheck', decision, (spotCheck) => routing({ options: { spotCheck } })],
		['options.tokenBudget', decision, (tokenBudget) => asking({ options: { tokenBudget } })],
		['stateFields', decision, (stateFields) => asking({ stateSource: 'item', stateFields })],
		['targetAccuracy', decision, (targetAccuracy) => evaluating({ targetAccuracy })],
		['maxTokens', message, (maxTokens) => saying('Hi', { maxTokens })],
		['maxTokens', message, (maxTokens) => saying('Hi', { operation: 'chat', maxTokens })],
		['options.tokenBudget', message, (tokenBudget) => saying('Hi', { options: { tokenBudget } })],
		['options.keepLastMessages', message, (keep) => saying('Hi', { options: { keepLastMessages: keep } })],
		['options.stopSequences', message, (stop) => saying('Hi', { options: { stopSequences: [stop, 'b'] } })],
		['options.stopSequences', message, (stop) => saying('Hi', { options: { stopSequences: stop } })],
		['audioDataUri', voice, (audioDataUri) => uploading({ audioDataUri })],
		['options.toolChoice', message, (toolChoice) => saying('Hi', { options: { toolChoice } })],
		['options.responseFormat', message, (responseFormat) => saying('Hi', { options: { responseFormat } })],
		['options.maxToolRounds', message, (maxToolRounds) => saying('Hi', { options: { maxToolRounds } })],
		['options.reuseAnswers', message, (reuseAnswers) => saying('Hi', { options: { reuseAnswers } })],
		['options.timeout', message, (timeout) => saying('Hi', { options: { timeout } })],
		['options.maxWait', message, (maxWait) => saying('Hi', { options: { maxWait } })],
		['options.maxRetries', decision, (maxRetries) => asking({ options: { maxRetries } })],
		['options.concurrency', decision, (concurrency) => asking({ options: { concurrency } })],
		['simplify', decision, (simplify) => asking({ simplify })],
		['options.outputField', decision, (outputField) => asking({ options: { outputField } })],
		['options.compareField', decision, (compareField) => evaluating({ options: { compareField } })],
		['options.ignoreCase', decision, (ignoreCase) => evaluating({ options: { ignoreCase } })],
		['confidenceField', decision, (confidenceField) => evaluating({ confidenceField })],
		['limit', voice, (limit) => ({ operation: 'getAll', returnAll: false, limit }) as INodeParameters],
		['returnAll', voice, (returnAll) => ({ operation: 'getAll', returnAll }) as INodeParameters],
		['uri', voice, (value) => deleting(value)],
		['options.audioFieldName', voice, (audioFieldName) => uploading({ options: { audioFieldName } })],
		['batchId', batch, (batchId) => ({ operation: 'cancel', batchId }) as INodeParameters],
		[
			'options.lowBelow',
			account,
			(lowBelow) => ({ operation: 'getBalance', options: { lowBelow } }) as INodeParameters,
		],
	])('refuses an expression without a value: %s', async (name, node, parametersOf) => {
		const refusals: string[] = [];
		for (const expression of [
			MISSING,
			'{{ null }}',
			'{{ "" }}',
			'{{ " " }}',
			`${MISSING} `,
			'{{ $json.x.y }}',
		]) {
			refusals.push(await node.refusal(parametersOf(`=${expression}`), { items: [{ a: 1, e: 1 }] }));
			expect(refusals.at(-1)).toBe(
				wrongParameter(name, `must have a value, but ${expression.trim()} has none`),
			);
		}
	});

	test('fails only the items whose expression has no value, with their index', async () => {
		const parameters = routing({
			routing: { minConfidence: '={{ $json.threshold }}' },
			stateText: '={{ $itemIndex }}',
		});
		const outputs = await decision.outputs(parameters, {
			items: [{ threshold: 0.7 }, {}, { threshold: 0 }],
			onError: 'continueRegularOutput',
		});
		const failed = outputs.flat().filter(({ json }) => json.error);
		expect(failed.map(({ json }) => (json.error as IDataObject).message)).toEqual([
			'"Minimum Confidence" (routing.minConfidence) must have a value, but {{ $json.threshold }} has none [item 1]',
		]);
		expect(emulator.requests).toHaveLength(2);
	});

	test('refuses a role of a message without a value', async () => {
		for (const role of ['={{ $json.role }}', '={{ null }}', '={{ " " }}']) {
			const messages = { message: [{ role, content: 'Hi' }] };
			expect(await message.refusal(saying([], { messages }))).toBe(
				`"Messages" (messages): message 1: "Role" (role) must have a value, but ${role.slice(1)} has none`,
			);
		}
	});

	test.each<[name: string, node: NodeDriver<NodeInput>, parametersOf: (part: string) => INodeParameters]>([
		['Batch ID', batch, (part) => ({ operation: 'cancel', batchId: `=batch_${part}` })],
		['Voice Style', voice, (part) => deleting(`=speech:${part}`)],
		['Data URI', voice, (part) => uploading({ audioDataUri: `=data:audio/mpeg;base64,${part}` })],
		['the name of a tool', message, (part) => offering({ name: `=find_${part}` })],
		['Output Field', decision, (part) => asking({ options: { outputField: `=answers_${part}` } })],
		['Compare with Field', decision, (part) => evaluating({ options: { compareField: `=${part}_before` } })],
	])('refuses an expression without a value within its text: %s', async (_, node, parametersOf) => {
		for (const part of ['{{ $json.id }}', '{{ null }}', '{{ "" + $json.id }}']) {
			const input = { items: [{ a: 1, e: 1 }] };
			expect(await node.refusal(parametersOf(part), input)).toContain(
				`must have a value, but ${part} has none`,
			);
		}
	});

	test('refuses an expression without a value that stands within a number', async () => {
		const parameters = routing({ routing: { minConfidence: '=0.{{ $json.percent }}' } });
		expect(await decision.refusal(parameters)).toContain('but {{ $json.percent }} has none');
	});

	test('accepts a line break as a stop sequence', async () => {
		await message.run(saying('Hi', { options: { stopSequences: ['={{ "\\n" }}', '={{ "\\n\\n" }}'] } }));
		expect(emulator.requests[0]!.body).toMatchObject({ stop_sequences: ['\n', '\n\n'] });
	});

	test.each<[name: string, node: NodeDriver<NodeInput>, parameters: INodeParameters]>([
		['thresholds', decision, routing({ routing: { minConfidence: '', noBelow: '=', yesAtLeast: null } })],
		['Spot Check', decision, routing({ options: { spotCheck: '= ' } })],
		['Token Budget', decision, asking({ options: { tokenBudget: '' } })],
		['Max Tokens of a chat', message, saying('Hi', { operation: 'chat', maxTokens: '' })],
		['Stop Sequences', message, saying('Hi', { options: { stopSequences: ['', '={{ "b" }}'] } })],
		['an empty list of Stop Sequences', message, saying('Hi', { options: { stopSequences: '={{ [] }}' } })],
		['0', decision, routing({ routing: { minConfidence: '={{ 0 }}' } })],
	])('means its default if it is left empty: %s', async (_, node, parameters) => {
		const outputs = await node.outputs(parameters);
		expect(outputs.flat()).toHaveLength(1);
		expect(emulator.requests).toHaveLength(1);
	});
});

/** The hint ends with this. It suits NaN, which ?? does not replace. */
const ADVICE =
	'What was sent instead is empty text, nothing at all, or a word such as undefined, null or NaN. If empty text is right, write ($json.field || &#39;&#39;) in place of $json.field.';

describe('an expression without a value in text that is sent', () => {
	const items = [{ a: 'Ada', b: 1 }, { a: 'Bob' }, { a: 'Cid', b: null }];

	test.each<[name: string, node: NodeDriver<NodeInput>, parameters: INodeParameters, place: string]>([
		['a message', message, saying('To {{ $json.a }} of {{ $json.b }}.'), 'Message 1'],
		['the second message', message, saying(['Hi', '{{ $json.a }}{{ $json.b }}']), 'Message 2'],
		['a system prompt', message, saying('Hi', { options: { system: 'Be {{ $json.b }}' } }), 'System Prompt'],
		['a number', message, saying('Hi', { options: { temperature: '{{ $json.b }}' } }), 'Temperature'],
		['another number', message, saying('Hi', { options: { topP: '{{ $json.b }}', topK: 3 } }), 'Top P'],
		[
			'messages as JSON',
			message,
			sayingJson('[{"role":"user","content":"{{$json.a}} {{ $json.b }}"}]'),
			'Messages (JSON)',
		],
		['the text to judge', decision, asking({ stateText: '{{ $json.b }}: {{ $json.a }}' }), 'Text'],
		[
			'JSON to judge',
			decision,
			asking({ stateSource: 'json', stateJson: '{ "x": "{{ $json.b }}", "y": "{{ $json.a }}" }' }),
			'JSON',
		],
		[
			'a question',
			decision,
			asking({}, { ...urgent, instructions: 'Is it urgent for {{ $json.b }}?' }),
			'Question 1',
		],
		[
			'the description of an option',
			decision,
			asking(
				{},
				{
					...urgent,
					type: 'choice',
					options: { option: [{ name: 'x' }, { name: 'y', description: '{{ $json.b }}' }] },
				},
			),
			'Question 1, Answer Option 2',
		],
		['the name of a voice style', voice, uploading({ customName: 'voice-{{ $json.b }}' }), 'Name'],
		[
			'the file name of a recording',
			voice,
			{
				...uploading({ audioSource: 'binary', options: { fileName: '{{ $json.b }}.mp3' } }),
				binaryPropertyName: '{{ ({ data: "AAAA", mimeType: "audio/mpeg" }) }}',
			},
			'File Name',
		],
		['the transcript of a voice style', voice, uploading({ text: 'I am {{ $json.b }}.' }), 'Transcript'],
		[
			'the description of a tool',
			message,
			offering({ description: 'Finds orders of {{ $json.b }}' }),
			'Tool 1',
		],
		[
			'the schema of a tool',
			message,
			offering({ inputSchema: '{ "type": "object", "title": "For {{ $json.b }}" }' }),
			'Tool 1',
		],
		[
			'extra body fields',
			message,
			saying('Hi', { options: { extraBody: '{ "system": "Be {{ $json.b }}" }' } }),
			'Extra Body Fields (JSON)',
		],
		[
			'questions as JSON',
			decision,
			asking({
				questionsSource: 'json',
				questionsJson: '{ "q": { "type": "noul", "instructions": "Is {{ $json.b }}?" } }',
			}),
			'Questions (JSON)',
		],
	])('is counted in a hint that names it: %s', async (_, node, parameters, place) => {
		const asExpressions = JSON.parse(
			JSON.stringify(parameters, (__, value: unknown) =>
				typeof value === 'string' && value.includes('{{') ? `=${value}` : value,
			),
		) as INodeParameters;
		expect(await emptiesAfter(node, asExpressions, items)).toBe(
			`Check the expressions: in 2 of 3 items, {{ $json.b }} in ${place} has no value. ${ADVICE}`,
		);
		expect(emulator.requests.length).toBeGreaterThan(0);
	});

	test.each<[name: string, parameters: INodeParameters, place: string]>([
		[
			'extra body fields',
			saying('Hi', { options: { extraBody: '={{ { system: $json.b } }}' } }),
			'&quot;system&quot; in Extra Body Fields (JSON)',
		],
		[
			'the schema of a tool',
			offering({ inputSchema: '={{ { type: "object", title: $json.b } }}' }),
			'&quot;title&quot; in Tool 1',
		],
		[
			'a number that is none',
			offering({ inputSchema: '={{ { type: "object", maximum: $json.b?.length * 2 } }}' }),
			'&quot;maximum&quot; in Tool 1',
		],
	])('is counted in the hint by its path in an object that it writes: %s', async (_, parameters, place) => {
		expect(await emptiesAfter(message, parameters, [{ b: 'Be calm.' }, {}])).toBe(
			`Check the expressions: in 1 of 2 items, ${place} has no value. ${ADVICE}`,
		);
		expect(emulator.requests).toHaveLength(2);
	});

	test('is not counted in the hint for a message that is not sent', async () => {
		const contents = ['=Before {{ $json.b }}', '=To {{ $json.b }}', 'Last'];
		const keeping = (keepLastMessages: number, more: object = {}) =>
			saying(contents, { ...more, options: { keepLastMessages } });
		expect(await emptiesAfter(message, keeping(1), items)).toBeUndefined();
		expect(await emptiesAfter(message, keeping(1, { operation: 'chat' }), items)).toBeUndefined();
		const hint = await emptiesAfter(message, keeping(2), items);
		expect(hint).toContain('in Message 2 has no value');
		expect(hint).not.toContain('Message 1');
	});

	test('is counted in the hint for a system message at the beginning, which is always sent', async () => {
		const messages = {
			message: [
				{ role: 'system', content: '=Be {{ $json.b }}' },
				{ role: 'user', content: '=Before {{ $json.b }}' },
				{ role: 'user', content: 'Hi' },
			],
		};
		const parameters = saying([], { operation: 'chat', messages, options: { keepLastMessages: 1 } });
		const hint = await emptiesAfter(message, parameters, items);
		expect(hint).toContain('in Message 1 has no value');
		expect(hint).not.toContain('Message 2');
	});

	test('is not one that gives a blank text, 0 or false', async () => {
		const content = "=Hello {{ $json.a }} {{ $json.b ?? '' }} {{ 0 }} {{ false }} {{ ' ' }}";
		expect(await emptiesAfter(message, saying(content), items)).toBeUndefined();
	});

	test('is named beside others, escaped and shortened', async () => {
		const long = `{{ $json.long["<b>${'x'.repeat(100)}"] }}`;
		const content = `=Hello {{ $json.a }}, {{ $json.p }} {{ $json.q }} {{ $json.p }} ${long}`;
		const hint = await emptiesAfter(message, saying(content), items);
		expect(hint).toContain(
			'in 3 of 3 items, {{ $json.p }} in Message 1 has no value; in 3 of 3 items, {{ $json.q }} in Message 1 has no value; in 3 of 3 items, {{ $json.long[&quot;&lt;b&gt;xxx',
		);
		expect(hint).toContain('x… in Message 1');
	});

	test('is only counted where n8n redacts the data of executions', async () => {
		jest.spyOn(ExecuteContext.prototype, 'isConsoleOutputRedacted').mockReturnValue(true);
		const hint = await message.hint(saying('=Hello {{ $json.a }} {{ $json.b }}'), { items });
		expect(hint).toContain('Empty expressions in 2 of 3 items.');
		expect(hint).not.toContain('$json');
	});

	test('is not looked for by evaluating again where all have values, with any text around them', async () => {
		const evaluate = jest.spyOn(ExecuteContext.prototype, 'evaluateExpression');
		const countCalls = async (content: string) => {
			evaluate.mockClear();
			await message.run(saying(content), { items: items.slice(0, 1) });
			return evaluate.mock.calls.filter(([one]) => one.includes('$json')).length;
		};
		expect(await countCalls('={{ $json.a }}, {{ $json.b }}: {{ $json.a }}\n{{ $json.b }}')).toBe(0);
		expect(await countCalls('=To {{ $json.a }} \\{{ x }} \\\\{{ $json.b }}')).toBe(0);
		expect(await countCalls('=To {{ $json.a }}, {{ $json.missing }}')).toBe(1);
	});
});

const said = (word: string) => `It says: ${word}`;

describe('an expression that joins a missing value to text', () => {
	const items = [{ a: 'Ada', n: null, list: [{ name: 'Pen' }], date: '4.3.2026', order: { id: 7 } }];

	test.each([
		"'Dear ' + $json.name",
		"'Dear ' + $json.n",
		'$json.a + $json.name',
		'`Dear ${$json.name}`',
		'`Dear ${$json.a} ${$json.n}`',
		"$json.a.concat(' ', $json.name)",
		"'Total: ' + ($json.a * 2).toFixed(2)",
		'($json.a * 2).toFixed(2)',
		'`It costs ${$json.price * 1.19}`',
		'$json.order.id / 0',
		"'It costs ' + -7 / ($json.n ?? 0)",
		"DateTime.fromISO($json.date).toFormat('dd LLL')",
		"'On ' + new Date($json.a)",
		'DateTime.fromISO($json.date)',
		'new Date($json.a)',
		"$json.list.map((line) => line.name + ': ' + line.count).join(', ')",
		"'Dear ' + $('Start').item.json.name",
		"'Dear ' + $input.item.json.name",
		"$json.n === undefined ? 'undefined' : 'Dear ' + $json.n",
	])('is counted in a hint: %s', async (code) => {
		const hint = await emptiesAfter(message, saying(`=Hello: {{ ${code} }}.`), items);
		expect(hint).toContain('in Message 1 has no value');
		expect(hint).toContain(ADVICE);
	});

	test.each<[name: string, node: NodeDriver<NodeInput>, parameters: INodeParameters, place: string]>([
		['the whole text', decision, asking({ stateText: "={{ 'Dear ' + $json.name }}" }), 'Text'],
		[
			'JSON',
			decision,
			asking({ stateSource: 'json', stateJson: "={{ { x: 'To ' + $json.name } }}" }),
			'JSON',
		],
		['a list', decision, asking({ stateSource: 'json', stateJson: '={{ [`To ${$json.name}`] }}' }), 'JSON'],
		[
			'a question',
			decision,
			asking({}, { ...urgent, instructions: "={{ 'Is it ' + $json.name + '?' }}" }),
			'Question 1',
		],
		[
			'the name of an option',
			decision,
			asking(
				{},
				{
					...urgent,
					type: 'choice',
					options: { option: [{ name: '={{ `Team ${$json.name}` }}' }, { name: 'y' }] },
				},
			),
			'Question 1, Answer Option 1',
		],
		['the second message', message, saying(['Hi', "={{ 'Dear ' + $json.name }}"]), 'Message 2'],
		[
			'messages as JSON',
			message,
			sayingJson("={{ [{ role: 'user', content: 'To ' + $json.name }] }}"),
			'Messages (JSON)',
		],
		[
			'a system prompt',
			message,
			saying('Hi', { options: { system: '={{ `Be ${$json.name}` }}' } }),
			'System Prompt',
		],
	])('is counted in the hint by its place: %s', async (_, node, parameters, place) => {
		expect(await emptiesAfter(node, parameters, items)).toContain(`in ${place} has no value`);
	});

	test('is an error in a parameter that decides something', async () => {
		const parameters = asking({ stateSource: 'item', stateFields: "={{ 'a,' + $json.name }}" });
		expect(await decision.refusal(parameters, { items })).toContain(
			"must have a value, but {{ 'a,' + $json.name }} has none",
		);
	});

	const texts = ['undefined', 'null', 'NaN', 'Infinity', 'Invalid Date', 'Invalid DateTime'].map(said);

	test.each([
		'{{ $json.text }}',
		"{{ 'Text: ' + $json.text }}",
		'{{ `${$json.text} (${$json.a})` }}',
		'{{ $json.text.trim().toLowerCase() }}',
		"{{ $('Start').item.json.text }}",
		"{{ 'Text: ' + $('Start').item.json.text }}",
		"{{ 'Text: ' + $('Start').first().json.text.trim() }}",
		"{{ $('Start').all().map((item) => item.json.text).join('; ') }}",
		"{{ $input.all().map((item) => item.json.text + '!').join('; ') }}",
		"{{ $node['Start'].json.text + '!' }}",
		'{{ JSON.stringify($json) }}',
		"{{ 'Item: ' + JSON.stringify($json) }}",
		'{{ $json.nested.toJsonString() }}',
		"{{ $json.lines.map((line) => '- ' + line).join(' ') }}",
		'{{ JSON.parse($json.body).text + "!" }}',
		"{{ $json.missing ?? 'undefined' }} or {{ `null` + '' }} {{ \"NaN\".trim() }}",
		"{{ 'bnVsbA=='.base64Decode() + '!' }}",
		'{{ typeof $json.missing }}',
		"{{ 'Infinity' + 6 / 2 }}",
		'undefined null NaN {{ $json.a.trim() }}',
	])('is not suspected in words that somebody wrote: %s', async (content) => {
		const written = texts.map((text) => ({
			text,
			a: 'Ada',
			nested: { text, none: null },
			lines: [text],
			body: JSON.stringify({ text, none: null }),
		}));
		expect(await emptiesAfter(message, saying(`=${content}`), written)).toBeUndefined();
		expect(emulator.requests).toHaveLength(texts.length);
	});

	test('is not looked for by evaluating again in items without such words', async () => {
		const evaluate = jest.spyOn(ExecuteContext.prototype, 'evaluateExpression');
		await message.run(saying("={{ 'Dear ' + $json.a.trim() }}, {{ `${$json.order.id}` }}!"), { items });
		await message.run(saying('=Judge {{ JSON.stringify($json) }} {{ $json.said }}'), {
			items: [{ none: null, said: 'null' }],
		});
		expect(evaluate.mock.calls.filter(([one]) => one.includes('$json'))).toEqual([]);
	});
});

describe('a text of which only the words around its expressions are left', () => {
	test.each<[string, INodeParameters]>([
		['missing', saying('=Write a friendly answer to this message: {{ $json.message }}')],
		['null', saying('=Answer {{ $json.none }} and {{ $json.message }}')],
		['blank', saying("=Answer:{{ $json.blank }}\n{{ $json.message ?? ' ' }}\n")],
		['an empty list', saying('=Answer: {{ $json.list.join(", ") }}')],
		['HTML in which nobody sees anything', saying('={{ $json.html }}')],
		['in the second message', saying(['First', '=Second {{ $json.message }}'])],
		['in a chat', saying('=Answer {{ $json.message }}', { operation: 'chat' })],
		['in JSON', sayingJson('=[{"role":"user","content":"Answer: {{ $json.message }}"}]')],
	])('is an error as the last message, before anything is sent: %s', async (_, parameters) => {
		const input = { items: [{ none: null, blank: ' \n ', list: [], html: '<p>&nbsp;</p>' }] };
		expect(await message.refusal(parameters, input)).toMatch(
			/: message [12] says nothing, because (all its expressions|\{\{.+\}\}( and \{\{.+\}\})?) (is|are) empty$/s,
		);
	});

	test('is an error before the reply that the model is to continue', async () => {
		const messages = {
			message: [
				{ role: 'user', content: '=Answer: {{ $json.message }}' },
				{ role: 'assistant', content: 'Dear customer,' },
			],
		};
		expect(await message.refusal(saying([], { messages }))).toContain(
			'message 1 says nothing, because {{ $json.message }} is empty',
		);
	});

	test('is sent as an earlier message, a system prompt or a question, with the hint', async () => {
		const system = saying(['=Before: {{ $json.x }}', 'Last'], { options: { system: '=Be {{ $json.y }}' } });
		expect(await emptiesAfter(message, system, [{}])).toContain(
			'in 1 of 1 item, {{ $json.y }} in System Prompt has no value; in 1 of 1 item, {{ $json.x }} in Message 1 has no value',
		);
		const question = asking({}, { ...urgent, instructions: '=Is it {{ $json.x }}?' });
		expect(await emptiesAfter(decision, question, [{}])).toContain(
			'{{ $json.x }} in Question 1 has no value',
		);
		expect(emulator.requests).toHaveLength(2);
	});

	test.each([
		['text', { stateText: '=Judge: {{ $json.subject }} {{ $json.text }}' }],
		['JSON', { stateSource: 'json', stateJson: '={ "text": "{{ $json.text }}" }' }],
	])(
		'is nothing to judge, so that its item is refused, or goes to Uncertain in Route: %s',
		async (_, source) => {
			expect(await decision.refusal(asking(source), { items: [{ text: null }] })).toMatch(
				/^The item has no text to judge: ".+" \(state.+\) says nothing, because \{\{.+\}\} (is|are) empty$/,
			);
			const items = [{ text: '\n' }, { text: 'Help!' }];
			const { outputs, hint } = await decision.run(routing(source), { items });
			expect(outputs()[0]!.map(({ json }) => json)).toMatchObject([
				{ text: '\n', urgent: null, route: 'Uncertain' },
			]);
			expect(emulator.requests).toHaveLength(1);
			expect(hint()).toContain('1 item had nothing to send.');
			expect(hint()).not.toContain('in 2 of 2 items');
		},
	);

	test('is sent if one of its expressions has a value', async () => {
		await decision.json(asking({ stateText: '=Judge: {{ $json.subject }} {{ $json.text }}' }), {
			items: [{ text: 0 }],
		});
		await message.json(saying('=Answer: {{ $json.subject }} {{ $json.text }}'), { items: [{ text: false }] });
		expect(emulator.requests.map(({ body }) => body)).toMatchObject([
			{ state: 'Judge:  0' },
			{ messages: [{ content: 'Answer:  false' }] },
		]);
	});
});
