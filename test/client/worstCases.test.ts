import { decodeCompletion } from '../../client/generation/decodeCompletion';
import { decodeJson } from '../../client/response/decodeJson';
import { MessageAccumulator } from '../../client/generation/MessageAccumulator';
import { CompletionAccumulator } from '../../client/generation/CompletionAccumulator';
import { parseResponseJson } from '../../client/response/parseResponseJson';
import { readErrorBody, readErrorResponse } from '../../client/response/readErrorResponse';
import { readEvents } from '../../client/response/readEvents';
import { Redaction } from '../../client/response/Redaction';
import { shorten } from '../../client/response/shorten';
import { readCredential } from '../../nodes/shared/service/readCredential';
import { parseGeneratedJson } from '../../nodes/Message/responseFormat';
import { readDecimal } from '../../nodes/Account/decimal';
import { readPath, splitNames } from '../../nodes/Decision/state/fieldPath';
import { audioDataUri } from '../../nodes/Voice/dataUri';

const LENGTH = 400_000;

const KEY = 'sk-aaaaaaaaaaaaaaab';

const ENCODER = new TextEncoder();

const fill = (unit: string) => unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH);

const around = (before: string, unit: string, after = '') => before + fill(unit) + after;

/** Code fences of falling length, as long as fit. */
function fallingFences(): string {
	const fences: string[] = [];
	for (let length = 1400, left = LENGTH; length > 2 && left > 0; length--) {
		fences.push(`${'`'.repeat(length)}\n1`);
		left -= length + 2;
	}
	return fences.join('');
}

async function* inChunks(text: string): AsyncGenerator<Uint8Array> {
	const bytes = ENCODER.encode(text);
	for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000);
}

function headersOf(name: string, value: string) {
	return { status: 429, statusText: '', header: (asked: string) => (asked === name ? value : undefined) };
}

const readRetryAfter = (value: string) =>
	readErrorResponse(headersOf('retry-after', value), '', 0, 'https://host.example/v1');

const readLocation = (value: string) =>
	readErrorResponse({ ...headersOf('location', value), status: 302 }, '', 0, 'https://host.example/v1');

const readAll = async (text: string) => {
	for await (const _event of readEvents(inChunks(text), () => true));
};

const complete = (kind: 'message' | 'chat', contentType?: string) => async (text: string) => {
	const response = { header: () => contentType, body: inChunks(text) };
	return kind === 'message'
		? await decodeCompletion(response, { accumulator: new MessageAccumulator(), streamed: true })
		: await decodeCompletion(response, { accumulator: new CompletionAccumulator(), streamed: true });
};

const redaction = new Redaction(KEY);

const inPieces = (text: string) => {
	const pieces = redaction.inPieces();
	for (let start = 0; start < text.length; start += 10) pieces.push(text.slice(start, start + 10));
};

const readUri = (text: string) => audioDataUri.parse(text, { subject: 'Data URI' } as never);

const cases: Array<[reader: string, read: (text: string) => unknown, texts: string[]]> = [
	[
		"an error's body",
		readErrorBody,
		[
			around('<html>', '<h1'),
			around('<html>', '<title'),
			around('<html>', '<title '),
			around('<html><title', ' ', '<'),
			around('<html><h1>', '<'),
			fill(' '),
			around('data:', ' '),
			fill('data: \n'),
			around(':', '\ndata'),
			`{"detail":${'['.repeat(1000)}"x"${']'.repeat(1000)}}`,
			JSON.stringify({ detail: Array(20_000).fill({ loc: ['body', 1], msg: 'no' }) }),
			JSON.stringify({ message: fill('RPM') }),
		],
	],
	[
		'the limit that an error names',
		(message) => readErrorResponse(headersOf('', ''), message, 0, 'https://host.example'),
		[fill('RPMRPD'), fill(' RPMx'), fill('TP')],
	],
	[
		'Retry-After',
		readRetryAfter,
		[
			fill('1'),
			fill('A'),
			around('Mon, ', ' ', 'x'),
			around('Mon, ', 'GMT '),
			around('Mon, 1 GMT', ' ', 'x'),
			around('Mon, ', '1('),
		],
	],
	['Location', readLocation, [fill('/'), around('https://', 'a.'), fill('../'), fill('\\')]],
	['a message on one line', (text) => shorten(text, 500), [fill(' '), fill(' \u0001'), fill('a ')]],
	[
		'a text for an error, with the key masked',
		(text) => redaction.ofError(text, 1024 * 1024),
		[
			fill('sk-a'),
			fill('\\'),
			fill('%25'),
			fill('&#0'),
			fill('sk-aaaaaaaaaaaaaaa'),
			fill(KEY),
			fill(btoa(KEY)),
		],
	],
	['a text with the key masked', (text) => redaction.ofOutput(text), [fill('sk-a'), fill(KEY), fill('a')]],
	['a text in pieces with the key masked', inPieces, [fill('sk-a'), fill(KEY), fill('sk-aaaa')]],
	[
		'a result with the key masked',
		(text) => redaction.ofResult(JSON.parse(text)),
		[
			JSON.stringify(Array(100_000).fill([])),
			JSON.stringify(Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`${KEY}${index}`, 1]))),
			JSON.stringify([fill('sk-a')]),
		],
	],
	[
		'JSON',
		parseResponseJson,
		[
			fill('['),
			fill('"'),
			around('["', '\\"', '"]'),
			around('["', '\\\\"'),
			around('["', '\\'),
			fill(' '),
			fill('{"":'),
			around('[', '1,'),
		],
	],
	[
		'a whole response',
		async (text) => await decodeJson({ header: () => undefined, body: inChunks(text) }),
		[fill(' '), around('{', ' '), fill('<'), `{"a":${'1'.repeat(LENGTH)}}`],
	],
	[
		'events',
		readAll,
		[
			fill('data\n'),
			fill('data: 1\n'),
			fill('\r'),
			fill('junk\n'),
			fill(':\n'),
			fill('data: {}\n\n'),
			around('data: ', 'x'),
			fill('data: [DONE\n'),
		],
	],
	[
		'a message in events',
		complete('message'),
		[
			fill('data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}\n\n'),
			fill('data: {"type":"content_block_delta","index":0,"delta":{"type":"a","b":"x"}}\n\n'),
			fill('data: {"type":"message_delta","usage":{"a":1}}\n\n'),
			`data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"a"}}\n\n${fill(
				'data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"["}}\n\n',
			)}`,
		],
	],
	[
		'a chat in events',
		complete('chat'),
		[
			fill('data: {"choices":[{"delta":{"content":"x"}}]}\n\n'),
			fill('data: {"choices":[{"delta":{"tool_calls":[{}]}}]}\n\n'),
			fill('data: {"choices":[{"delta":{"a":["x"]},"logprobs":{"content":[1]}}]}\n\n'),
			`data: {"choices":[${Array(50_000).fill('{}').join(',')}]}\n\n`,
		],
	],
	[
		'a content type',
		async (type) => await complete('chat', type)('data: {"choices":[{"delta":{}}]}\n\ndata: [DONE]\n\n'),
		[fill(' '), around('application/', '+'), around('application/json', ' ', 'x')],
	],
	[
		'a decimal number',
		readDecimal,
		[around('1', '0', '1'), around('.', '1', 'x'), around('1e', '1', 'x'), fill(' '), around('1', ' ', '1')],
	],
	[
		'generated JSON',
		(text) => parseGeneratedJson(text, 'end_turn'),
		[
			fallingFences(),
			fill('```\n1'),
			fill('```\n['),
			fill('~~~```'),
			fill('``` '),
			around('```', 'a'),
			around('```', ' '),
			fill('```json\n{"a":"'),
			`\`\`\`\n["${fill('``` ')}`,
			`\`\`\`\n[${fill('"```",')}`,
		],
	],
	[
		'names of fields',
		splitNames,
		[fill(','), fill('['), fill("['"), fill("['a'],"), fill("['\\'"), fill('[a'), fill('a[b'), fill('["a\'')],
	],
	[
		'a path to a field',
		(text) => readPath({ a: 1 }, text),
		[fill('a.'), fill('['), fill("['"), fill("['\\'"), fill("['a']"), fill('[a'), fill('a[0]'), fill('[0]')],
	],
	[
		'a data URI',
		readUri,
		[
			around('data:a/b', ';a=b', ','),
			around('data:a/b', ';a', ','),
			around('data:', 'a/', ';base64,'),
			around('data:a/b;base64,', 'A', '-'),
			around('data:a/b', ';', ','),
		],
	],
	[
		'the base URL',
		(baseUrl) => readCredential({ baseUrl, apiKey: KEY }),
		[
			fill('/'),
			around('https://a', '/', 'b'),
			around('https://', 'a', '@'),
			around('https://a', '/'),
			around('https://a/', '/ '),
		],
	],
];

// A reader whose time grows faster than its text would take minutes, and fail by the time limit of a test.
test.each(cases)(
	'%s: 400 kB of the worst input are read',
	async (_reader, read, texts) => {
		for (const text of texts) {
			try {
				await read(text);
			} catch {
				// Many of these texts are errors.
			}
		}
	},
	10_000,
);
