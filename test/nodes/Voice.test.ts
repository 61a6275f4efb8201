import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService, LoadOptionsContext } from 'n8n-core';
import {
	NodeApiError,
	Workflow,
	type IBinaryData,
	type IBinaryKeyData,
	type IDataObject,
	type INode,
	type INodeListSearchResult,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import type { RecordedFile } from '../../emulator/Emulator';
import { nodeTypesOf } from '../../engine/builtInNodes';
import { CredentialsStore } from '../../engine/CredentialsStore';
import { Voice } from '../../nodes/Voice/Voice.node';
import { CAPABILITIES } from '../support/host';
import { nodeDriver, wrongParameter } from '../support/nodeDriver';
import { credentialTypes, readErrorItem } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const voice = nodeDriver('voice', emulator);

const style = { customName: 'narrator', text: 'The quick brown fox.', model: 'vendor/voice-1' };
const uploading = (further: INodeParameters = {}): INodeParameters => ({
	operation: 'upload',
	...style,
	...further,
});
const DATA_URI = 'data:audio/mpeg;base64,SUQzBAAAAAAA';

/** Returns a file as n8n passes it between nodes when it keeps binary data in memory. */
function inMemory(bytes: Buffer, file: Partial<IBinaryData> = {}): IBinaryData {
	return { data: bytes.toString('base64'), mimeType: 'audio/mpeg', fileName: 'voice.mp3', ...file };
}

const itemsWith = (binary: IBinaryKeyData) => [{ json: {}, binary }];

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const sent = (index = 0) => emulator.requests[index]!.multipart!;

function sentFile(): RecordedFile {
	expect(sent().files).toHaveLength(1);
	return sent().files[0]!;
}

describe('Upload', () => {
	const binary = { data: inMemory(Buffer.from('some audio')) };
	const items = itemsWith(binary);

	test('sends only the recording, its transcript, the name and the model, and outputs the URI with them', async () => {
		const json = await voice.json(uploading(), { items });
		expect(json).toEqual({ uri: expect.stringMatching(/^speech:narrator:/), ...style });
		expect(Object.keys(json)).toEqual(['uri', 'model', 'customName', 'text']);
		expect(emulator.requests).toHaveLength(1);
		expect(emulator.requests[0]).toMatchObject({ method: 'POST', path: '/uploads/audio/voice', status: 200 });
		expect(sent().fields).toEqual(style);
		expect(sentFile()).toMatchObject({
			field: 'audio',
			fileName: 'voice.mp3',
			mimeType: 'audio/mpeg',
			bytes: Buffer.from('some audio'),
		});
		expect(emulator.requests[0]!.headers).toMatchObject({
			'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/),
			'content-length': String(emulator.requests[0]!.rawBody.length),
		});
	});

	test('outputs the response body unchanged with Simplify off', async () => {
		emulator.answer({ id: 7, uri: 'speech:a:b:c' });
		expect(await voice.json(uploading({ simplify: false }), { items })).toEqual({
			id: 7,
			uri: 'speech:a:b:c',
		});
	});

	test.each([
		[{ code: 30001, message: 'Too short', status: false, data: null }, /^Too short$/],
		[{ error: { message: 'Not today' } }, /^Not today$/],
		[{ uri: '' }, /has no uri$/],
		[{ message: 'Queued', task: 7 }, /^Queued$/],
	])('fails if a response with status 200 is %j, with Simplify on or off', async (body, message) => {
		emulator.answer(body, { times: 2 });
		for (const simplify of [true, false]) {
			const error = await voice.error(uploading({ simplify }), { items });
			expect(error).toMatchObject({ message: expect.stringMatching(message), http_status: 200, attempts: 1 });
			expect(error.description).not.toMatch(/proxies.*base URL/);
		}
	});

	/** Returns a file of which nobody knows whether it is a recording. */
	const octets = (bytes: Buffer, file: Partial<IBinaryData> = {}) =>
		inMemory(bytes, { mimeType: 'application/octet-stream', ...file });

	/** These items have different recordings, as files and as data URIs, and a file that is the same. */
	const recorded = ['anna', 'bert'].map((name) => ({
		json: { name, said: 'Hello', uri: `data:audio/mpeg;base64,${btoa(`audio of ${name}`)}` },
		binary: {
			data: octets(Buffer.from(`audio of ${name}`), { fileName: `${name}.mp3` }),
			ofOneName: octets(Buffer.from(`audio of ${name}`)),
			same: octets(Buffer.from('audio')),
			renamed: octets(Buffer.from('audio'), { fileName: `${name}.mp3` }),
		},
	}));

	const named = (more: INodeParameters) => uploading({ customName: '={{ $itemIndex }}', ...more });

	test.each<[string, INodeParameters]>([
		['files', {}],
		['files of one name and size', { binaryPropertyName: 'ofOneName' }],
		['a transcript that was only switched to an expression', { text: '=The fox' }],
		['data URIs', { audioSource: 'dataUri', audioDataUri: '={{ $json.uri }}' }],
	])('gives a hint if different recordings have the same fixed transcript: %s', async (_, more) => {
		expect(await voice.hint(named(more), { items: recorded })).toBe(
			"All 2 recordings have the same transcript: if different words are spoken in them, use an expression in 'Transcript'.",
		);
	});

	test.each<[string, INodeParameters]>([
		['the transcript is an expression', { text: '={{ $json.said }}' }],
		['the recordings are the same file', { binaryPropertyName: 'same' }],
		['the recordings are the same file under two names', { binaryPropertyName: 'renamed' }],
		['the recordings are the same data URI', { audioSource: 'dataUri', audioDataUri: DATA_URI }],
	])('gives no hint about a transcript if %s', async (_, more) => {
		expect(await voice.hint(named(more), { items: recorded })).toBe('');
	});

	test.each<[string, INodeParameters]>([
		['a fixed name', { text: '={{ $json.said }}' }],
		['equal names from the items', { text: '={{ $json.said }}', customName: '={{ $json.said }}' }],
		[
			'names that look the same',
			{ text: '={{ $json.said }}', customName: '=a{{ " ".repeat($itemIndex + 1) }}b' },
		],
	])('counts the styles of one name: %s', async (_, more) => {
		expect(await voice.hint(uploading(more), { items: recorded })).toBe(
			"2 voice styles have the same name as another one from this run: to tell them apart, use an expression in 'Name', or keep their URIs.",
		);
	});

	test.each<[string, INodeParameters]>([
		['files', { binaryPropertyName: 'renamed' }],
		['data URIs', { audioSource: 'dataUri', audioDataUri: DATA_URI }],
	])('counts the uploads of one recording with different transcripts: %s', async (_, more) => {
		const items = [...recorded, recorded[0]!];
		expect(await voice.hint(named({ ...more, text: '={{ $json.name }}' }), { items })).toBe(
			'3 uploads have the same recording, but different transcripts: check where the recording comes from.',
		);
	});

	test('counts the items with further recordings, if Input Binary Field is fixed', async () => {
		const [anna, bert] = ['anna', 'bert'].map((name) => inMemory(Buffer.from(name)));
		const pdf = inMemory(Buffer.from('%PDF'), { mimeType: 'application/pdf' });
		const all = [
			{ a: anna!, b: bert!, c: pdf },
			{ a: bert!, c: pdf },
		].map((binary) => ({ json: { field: 'a' }, binary }));
		const more = { text: '={{ $itemIndex }}' };
		expect(await voice.hint(named({ ...more, binaryPropertyName: 'a' }), { items: all })).toBe(
			"1 item has more than one recording. Only the one in 'Input Binary Field' was uploaded: to upload them all, make each one an item before this node.",
		);
		const chosen = named({ ...more, binaryPropertyName: '={{ $json.field }}' });
		expect(await voice.hint(chosen, { items: all })).toBe('');
	});

	test.each([
		[
			'a link to a file',
			'https://files.example/interview.pdf',
			'A link to a file was sent, and not the file',
		],
		['base64', btoa('The quick brown fox jumps over the lazy dog. '.repeat(20)), 'base64'],
	])('gives a hint if a transcript is no text that somebody speaks: %s', async (_, said, hint) => {
		const more = { text: '={{ $json.said }}' };
		const spoken = [{ json: { said }, binary }];
		expect(await voice.hint(uploading(more), { items: spoken })).toContain(hint);
	});

	test('sends a name without the spaces around it', async () => {
		const json = await voice.json(uploading({ customName: '={{ " narrator\\n" }}' }), { items });
		expect([json.customName, sent().fields.customName]).toEqual(['narrator', 'narrator']);
	});

	test('gives no hint about the transcript of one recording', async () => {
		expect(await voice.hint(uploading({}), { items: recorded.slice(1) })).toBe('');
	});

	const failThird = () => emulator.fault({ path: '/uploads/audio/voice', status: 400, skip: 2 });
	const three = ['a', 'b', 'c'].map((name) => ({
		json: { name },
		binary: { data: octets(Buffer.from(name)) },
	}));
	const ofThree = uploading({ customName: '={{ $json.name }}', text: '={{ $json.name }}' });

	test('stops with an error that says how many uploads a new run repeats', async () => {
		failThird();
		const { outputs } = await voice.run(ofThree, { items: three });
		expect(outputs).toThrow(
			expect.objectContaining({
				description: expect.stringContaining(
					'2 requests were carried out: a new run sends them again, so leave out their items.',
				),
			}),
		);
	});

	test('says how many styles are there twice after another try', async () => {
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		failThird();
		expect(await voice.hint(ofThree, { items: three, node })).toBe(
			'2 voice styles were uploaded again, because an earlier try failed: delete the older ones.',
		);
		expect(await voice.hint(ofThree, { items: three, node })).toBe('');
	});

	test('sends a file that has no name under the name "audio"', async () => {
		await voice.run(uploading(), {
			items: itemsWith({ data: inMemory(Buffer.from('x'), { fileName: undefined }) }),
		});
		expect(sentFile()).toMatchObject({ fileName: 'audio', size: 1 });
	});

	test.each([
		'audio/mpeg',
		'AUDIO/wav',
		'audio/ogg; codecs=opus',
		'video/mp4',
		'application/octet-stream',
		'binary/octet-stream',
		'',
	])('accepts a file of the type "%s"', async (mimeType) => {
		await voice.run(uploading(), { items: itemsWith({ data: inMemory(Buffer.from('x'), { mimeType }) }) });
		expect(emulator.requests).toHaveLength(1);
	});

	test.each<[Partial<IBinaryData>, string]>([
		[{ data: '' }, 'names a file of 0 bytes'],
		...[DATA_URI, 'hello, world!'].map((data): [Partial<IBinaryData>, string] => [
			{ data },
			'names a file whose data is not base64',
		]),
		...['application/pdf', 'image/png', 'text/plain', 'application/json', 'audiobook/x'].map(
			(mimeType): [Partial<IBinaryData>, string] => [
				{ mimeType },
				`must be a recording (audio or video), but its type is ${mimeType}`,
			],
		),
	])('refuses the file %j before it sends a request', async (file, rule) => {
		const given = { items: itemsWith({ data: inMemory(Buffer.from('x'), file) }) };
		expect(await voice.refusal(uploading(), given)).toBe(wrongParameter('binaryPropertyName', rule));
	});

	test.each(['data:application/pdf;base64,JVBERi0=', 'data:text/plain;charset=utf-8;base64,AAAA'])(
		'refuses the data URI %s before it sends a request, because it is no recording',
		async (audioDataUri) => {
			expect(await voice.refusal(uploading({ audioSource: 'dataUri', audioDataUri }))).toMatch(
				wrongParameter('audioDataUri', 'must be a recording'),
			);
		},
	);

	test('sends the file that Input Binary Field names, or the only file if none has that name', async () => {
		const [first, second] = ['this', 'that'].map((text) => inMemory(Buffer.from(text)));
		await voice.run(uploading(), { items: itemsWith({ sound: first! }) });
		await voice.run(uploading({ binaryPropertyName: 'second' }), {
			items: itemsWith({ first: first!, second: second! }),
		});
		expect([0, 1].map((index) => sent(index).files[0]!.bytes)).toEqual(
			['this', 'that'].map((text) => Buffer.from(text)),
		);
	});

	test('sends the audio under Audio Field Name and File Name', async () => {
		await voice.run(uploading({ options: { audioFieldName: 'file', fileName: 'other.wav' } }), { items });
		expect(sentFile()).toMatchObject({ field: 'file', fileName: 'other.wav', mimeType: 'audio/mpeg' });
	});

	test('passes binary data on only with Include Other Input Fields', async () => {
		const input = { items: [{ json: { uri: 'mine', n: 1 }, binary }] };
		const [plain] = await voice.items(uploading(), input);
		expect(plain).not.toHaveProperty('binary');
		const [full] = await voice.items(uploading({ options: { includeOtherFields: true } }), input);
		expect(full).toMatchObject({ json: { n: 1, uri: expect.stringMatching(/^speech:/) }, binary });
	});

	test.each(['customName', 'text', 'model'])(
		'refuses a blank %s before it sends a request',
		async (field) => {
			expect(await voice.refusal(uploading({ [field]: '={{ " " }}' }), { items })).toBe(
				wrongParameter(field, 'must not be empty'),
			);
		},
	);

	test('refuses an item without the file that Input Binary Field names, before it sends a request', async () => {
		const two = itemsWith({ a: inMemory(Buffer.from('1')), b: inMemory(Buffer.from('2')) });
		for (const name of ['sound', '__proto__', 'constructor']) {
			expect(await voice.refusal(uploading({ binaryPropertyName: name }), { items: two })).toBe(
				wrongParameter('binaryPropertyName', 'must name a file in the input item. It has: a, b'),
			);
		}
		expect(await voice.refusal(uploading(), { items: [{ n: 1 }] })).toMatch(
			wrongParameter('binaryPropertyName', 'must name a file in the input item, which has none'),
		);
	});

	test('refuses an object that is no file, before it sends a request', async () => {
		expect(await voice.refusal(uploading({ binaryPropertyName: '={{ ({ a: 1 }) }}' }), { items })).toBe(
			wrongParameter('binaryPropertyName', 'must be text'),
		);
	});

	test.each(['model', 'customName', 'text'])(
		'refuses the Audio Field Name %s before it sends a request, because another field of the form has it',
		async (audioFieldName) => {
			expect(await voice.refusal(uploading({ options: { audioFieldName } }), { items })).toMatch(
				wrongParameter('options.audioFieldName', 'must not be'),
			);
		},
	);

	test('does not retry an upload that the service may have carried out', async () => {
		emulator.fault({ status: 500, body: 'oops', times: Infinity });
		expect((await voice.run(uploading(), { items })).outputs).toThrow('oops');
		expect(emulator.requests).toHaveLength(1);
	});

	test('retries an upload up to Max Retries if no connection was made', async () => {
		const service = { url: 'http://127.0.0.1:1/v1', apiKey: emulator.apiKey };
		const error = await voice.error(uploading({ options: { maxRetries: 2 } }), { items, service });
		expect(error).toMatchObject({ message: expect.stringContaining('ECONNREFUSED'), attempts: 3 });
	});
});

describe('the Data URI', () => {
	const fromUri = (options: INodeParameters = {}) =>
		uploading({ audioSource: 'dataUri', audioDataUri: '={{ $json.audio }}', options });

	test.each([
		DATA_URI,
		'data:audio/wav;base64,UklGRg==',
		'data:audio/ogg;codecs=opus;base64,T2dnUw',
		'data:application/octet-stream;base64,+/+/',
	])('%s is sent unchanged', async (audio) => {
		const json = await voice.json(fromUri(), { items: [{ audio }] });
		expect(json).toMatchObject({ uri: expect.stringMatching(/^speech:/) });
		expect(sent()).toEqual({ fields: { ...style, audio }, files: [], repeated: [] });
	});

	test('is sent under Audio Field Name', async () => {
		emulator.answer({ uri: 'speech:x' });
		await voice.run(fromUri({ audioFieldName: 'reference' }), { items: [{ audio: DATA_URI }] });
		expect(sent().fields).toEqual({ ...style, reference: DATA_URI });
	});

	const FORM = 'must have the form data:';
	const BASE64 = 'must have base64 after the comma';

	test.each([
		['', 'must have'],
		['https://example.com/voice.mp3', FORM],
		[' data:audio/mpeg;base64,SUQz', FORM],
		['data:audio/mpeg,SUQz', FORM],
		['data:audio;base64,SUQz', FORM],
		['data:audio/mpeg ;base64,SUQz', FORM],
		['data:audio/mpeg\r\nX-Injected: 1;base64,SUQz', FORM],
		...['', '====', 'SUQz=BAA', 'SUQzB', 'SUQzBA=', 'SUQz BAAA', 'SUQz\nBAAA', 'SUQ_BA-A', 'SUQz,SUQz'].map(
			(base64) => [`data:audio/mpeg;base64,${base64}`, BASE64],
		),
	])('%j is refused: it %s', async (audio, rule) => {
		const message = await voice.refusal(fromUri(), { items: [{ audio }] });
		expect(message).toMatch(wrongParameter('audioDataUri', rule));
	});

	test('of a file of 4 MiB is sent unchanged', async () => {
		const audio = `data:audio/wav;base64,${randomBytes(4 * 1024 * 1024).toString('base64')}`;
		await voice.run(fromUri(), { items: [{ audio }] });
		expect(sent().fields.audio === audio).toBe(true);
	});
});

describe('the form that Upload sends', () => {
	/** Reads the header lines of each part of the form from the bytes that were sent. */
	function headersOfParts(): string[][] {
		const { headers, rawBody } = emulator.requests[0]!;
		const boundary = /boundary=(.+)$/.exec(headers['content-type']!)![1]!;
		const parts = rawBody.toString('utf8').split(`--${boundary}`);
		expect(parts.at(-1)).toMatch(/^--\r\n$/);
		return parts.slice(1, -1).map((part) => part.slice(2, part.indexOf('\r\n\r\n')).split('\r\n'));
	}

	const nasty = [
		'line\nbreak',
		'"\r\nContent-Type: text/evil\r\nX-Injected: 1\r\n\r\nboo',
		'"; name="model"; filename="other.mp3',
		"semi;colon, comma & 'apostrophe' %22, a back\\slash",
		'旁白 – Рассказчик – راوي – 🎙️ \u0000',
	];

	test.each(nasty)(
		'has the text %j as one value each of Name, Transcript, File Name and Audio Field Name',
		async (text) => {
			emulator.answer({ uri: 'speech:x' });
			const results = await voice.items(
				uploading({
					customName: '={{ $json.value }}',
					text: '={{ $json.value }}',
					options: { fileName: '={{ $json.value }}', audioFieldName: '={{ $json.value }}' },
				}),
				{ items: [{ json: { value: text }, binary: { data: inMemory(Buffer.from('some audio')) } }] },
			);
			expect(results[0]!.json).toMatchObject({ customName: text, text });

			const headers = headersOfParts();
			expect(headers.map((lines) => lines.length)).toEqual([1, 1, 1, 2]);
			expect(headers.slice(0, 3)).toEqual([
				['Content-Disposition: form-data; name="model"'],
				['Content-Disposition: form-data; name="customName"'],
				['Content-Disposition: form-data; name="text"'],
			]);
			expect(headers[3]![0]).toMatch(
				/^Content-Disposition: form-data; name="[^"\r\n]+"; filename="[^"\r\n]+"$/,
			);
			expect(headers[3]![1]).toBe('Content-Type: audio/mpeg');

			// The standard for multipart forms turns every line break in a value into CR LF.
			const value = text.replace(/\r\n|\r|\n/g, '\r\n');
			expect(sent()).toMatchObject({
				fields: { model: style.model, customName: value, text: value },
				repeated: [],
			});
			expect(sentFile()).toMatchObject({ bytes: Buffer.from('some audio') });
			const percentEncoded = (name: string) =>
				name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
			const [, fieldName, fileName] = /; name="(.*?)"; filename="(.*)"$/.exec(headers[3]![0]!)!;
			expect([text, value].map(percentEncoded)).toContain(fieldName);
			expect([text, value].map(percentEncoded)).toContain(fileName);
		},
	);
});

describe.each([
	['default', "n8n's request helper", {}],
	['default', 'the built-in fetch', { reuseConnections: true }],
	['filesystem', "n8n's request helper", {}],
	['filesystem', 'the built-in fetch', { reuseConnections: true }],
] as const)('in the binary mode %s, sent by %s,', (mode, _name, credential) => {
	beforeAll(async () => await useBinaryMode(mode));
	afterAll(async () => await useBinaryMode('default'));

	async function stored(bytes: Buffer, file: Partial<IBinaryData> = {}): Promise<IBinaryData> {
		const location = { type: 'execution', workflowId: 'workflow', executionId: '1' } as const;
		return await Container.get(BinaryDataService).store(location, bytes, {
			...inMemory(Buffer.alloc(0)),
			...file,
		});
	}

	const combined = { binaryMode: 'combined' } as const;

	test.each([
		{ name: 'in separate mode', binaryPropertyName: 'data' },
		{ name: 'in combined mode', settings: combined, binaryPropertyName: 'data' },
		...(mode === 'default'
			? [] // A file in memory can be named only: an expression hides its content, and combined mode does not move it.
			: [
					{ name: 'by reference', binaryPropertyName: '={{ $binary.data }}' },
					{ name: 'in the JSON', settings: combined, inJson: true, binaryPropertyName: 'data' },
					...(CAPABILITIES.combinedBinaryMode.isThere()
						? [{ name: 'by path', settings: combined, inJson: true, binaryPropertyName: '_files.data' }]
						: []),
					{
						name: 'by reference to the JSON',
						settings: combined,
						inJson: true,
						binaryPropertyName: '={{ $json._files.data }}',
					},
				]),
	])(
		'of two files, the chosen one of 2 MiB reaches the service byte for byte ($name)',
		async ({ settings, inJson, binaryPropertyName }) => {
			const bytes = randomBytes(2 * 1024 * 1024);
			const data = await stored(bytes, { fileName: 'große Datei.wav' });
			const files = { cover: await stored(Buffer.from('cover')), data };
			const json = await voice.json(uploading({ binaryPropertyName }), {
				credential,
				settings,
				items: inJson ? [{ _files: files }] : itemsWith(files),
			});
			expect(json).toMatchObject({ customName: 'narrator' });
			expect(sentFile()).toEqual({
				field: 'audio',
				fileName: 'große Datei.wav',
				mimeType: 'audio/mpeg',
				size: bytes.length,
				sha256: sha256(bytes),
			});
			expect(emulator.requests[0]!.headers).not.toHaveProperty('transfer-encoding');
		},
	);

	test('a retry of an upload sends the whole file again', async () => {
		emulator.fault({ status: 503, body: { code: 50505, message: 'overloaded', data: '' } });
		const bytes = randomBytes(100_000);
		await voice.run(uploading(), { credential, items: itemsWith({ data: await stored(bytes) }) });
		expect(emulator.requests.map(({ status }) => status)).toEqual([503, 200]);
		expect(sent(1).files).toMatchObject([{ sha256: sha256(bytes) }]);
	});

	if (mode === 'filesystem') {
		test.each<[name: string, harm: (path: string) => Promise<void>, message: RegExp]>([
			['is gone', async (path) => await rm(path), /ENOENT|not found/],
			['is shorter than n8n says', async (path) => await truncate(path, 9), /9 bytes instead of the 3000/],
			['is longer than n8n says', async (path) => await appendFile(path, 'm'), /3001 bytes instead of/],
		])('a file that %s fails only its own item, without a request', async (_, harm, message) => {
			const files = [await stored(randomBytes(3000)), await stored(randomBytes(3000))];
			await harm(Container.get(BinaryDataService).getPath(files[0]!.id!));
			const results = await voice.items(uploading(), {
				credential,
				onError: 'continueRegularOutput',
				items: files.flatMap((data) => itemsWith({ data })),
			});
			const { error } = readErrorItem(results[0]!.json);
			expect(error.message).toMatch(wrongParameter('binaryPropertyName', 'names a file that cannot be read'));
			expect(error).toMatchObject({ message: expect.stringMatching(message), attempts: 0 });
			expect(results[1]!.json).toMatchObject({ customName: 'narrator' });
		});
	}
});

/** n8n stores binary data in this folder in the mode "filesystem". */
let storageFolder: string;

beforeAll(async () => {
	storageFolder = await mkdtemp(path.join(tmpdir(), 'voice-'));
});
afterAll(async () => await rm(storageFolder, { recursive: true }));

async function useBinaryMode(mode: 'default' | 'filesystem') {
	Object.assign(Container.get(BinaryDataConfig), { mode, localStoragePath: storageFolder });
	await Container.get(BinaryDataService).init();
}

async function uploadStyles(...names: string[]): Promise<string[]> {
	const uris: string[] = [];
	for (const customName of names) {
		const json = await voice.json(
			uploading({
				customName,
				model: `vendor/${customName.length}`,
				audioSource: 'dataUri',
				audioDataUri: DATA_URI,
			}),
		);
		uris.push(String(json.uri));
	}
	emulator.requests.length = 0;
	return uris;
}

describe('Get Many', () => {
	test('outputs one item for each voice style in a newly added node', async () => {
		const [uri] = await uploadStyles('narrator', 'host');
		const items = await voice.items({});
		expect(emulator.requests).toMatchObject([{ method: 'GET', path: '/audio/voice/list' }]);
		expect(items).toHaveLength(2);
		expect(items[0]).toEqual({
			json: { model: 'vendor/8', customName: 'narrator', text: style.text, uri },
			pairedItem: { item: 0 },
		});
		expect(items[1]).toMatchObject({ json: { customName: 'host' }, pairedItem: { item: 0 } });
	});

	test('outputs the first voice styles up to Limit with Return All off, 50 by default', async () => {
		const results = Array.from({ length: 60 }, (_, n) => ({ customName: `voice ${n}` }));
		emulator.answer({ results }, { times: Infinity });
		const count = async (parameters: INodeParameters) => (await voice.items(parameters)).length;
		expect(await count({ limit: 2 })).toBe(60);
		expect(await count({ returnAll: false })).toBe(50);
		expect(await count({ returnAll: false, limit: 2 })).toBe(2);
		expect(await count({ returnAll: false, limit: 99 })).toBe(60);
	});

	test('refuses a Limit of 0', async () => {
		expect((await voice.run({ returnAll: false, limit: '={{ 0 }}' })).outputs).toThrow(
			wrongParameter('limit', 'must be a whole number'),
		);
	});

	test('does not read Limit while Return All or Simplify hides it', async () => {
		emulator.answer({ results: [] }, { times: Infinity });
		for (const hidden of [{}, { simplify: false, returnAll: false }]) {
			expect((await voice.run({ ...hidden, limit: '={{ nowhere.to.be.found }}' })).outputs).not.toThrow();
		}
	});

	test('outputs the response body unchanged with Simplify off', async () => {
		const body = { results: [{ uri: 'speech:a' }], page: 1 };
		emulator.answer(body);
		expect(await voice.items({ simplify: false, returnAll: false, limit: 1 })).toEqual([
			{ json: body, pairedItem: { item: 0 } },
		]);
	});

	test('outputs the same columns for each voice style, with null for a missing value, and no items without a list', async () => {
		emulator.answer({ results: null });
		expect(await voice.items({})).toEqual([]);
		const style = { uri: 'speech:a', rate: 2 };
		emulator.answer({ results: [style] });
		expect(await voice.json({})).toEqual({ model: null, customName: null, text: null, ...style });
	});

	test.each([{}, { results: 'none' }])(
		'fails if the response is %j, which has no list of voice styles',
		async (body) => {
			emulator.answer(body);
			expect((await voice.error({})).message).toMatch(/no list of voice styles/);
		},
	);

	test.each([
		[[], /not a JSON object/],
		[{ code: 30001, message: 'No voices today', request: 'r1' }, /^No voices today$/],
		[{ code: 30001, message: 'No voices today', results: null }, /^No voices today$/],
	])('fails if the response is %j, with Simplify on or off', async (body, message) => {
		emulator.answer(body, { times: 2 });
		for (const simplify of [true, false]) expect((await voice.error({ simplify })).message).toMatch(message);
	});
});

const deleting = (uri: unknown): INodeParameters => ({ operation: 'delete', uri }) as INodeParameters;

describe('Delete', () => {
	test('deletes the voice style that is chosen from the list or by URI', async () => {
		const uris = await uploadStyles('narrator', 'host', 'guest');
		const parameters = [
			deleting({ __rl: true, mode: 'uri', value: uris[0] }),
			deleting({ __rl: true, mode: 'list', value: uris[1], cachedResultName: 'host' }),
			deleting({ __rl: true, mode: 'uri', value: '={{ $json.uri }}' }),
		];
		for (const [index, one] of parameters.entries()) {
			expect(await voice.json(one, { items: [{ uri: uris[index] }] })).toEqual({
				deleted: true,
				uri: uris[index],
			});
		}
		expect(emulator.requests).toHaveLength(3);
		expect(emulator.requests[0]).toMatchObject({
			method: 'POST',
			path: '/audio/voice/deletions',
			body: { uri: uris[0] },
		});
		expect(await voice.items({})).toEqual([]);
	});

	const deleteA = deleting({ __rl: true, mode: 'uri', value: 'speech:a' });

	test.each([
		'',
		'{"odd": [1',
		'{"message": "Done"}',
		'{"code": 20000, "message": "OK", "status": true}',
		'{"code": 20000, "message": "Deleted 1 style"}',
		'{"code": 0, "msg": "success", "data": null}',
		'{"status": "success", "detail": "not found in cache", "data": {"errors": 0}}',
		'{"id": "a", "object": "voice", "deleted": true, "error": null}',
		'{"success": "true", "errors": []}',
		'OK: speech:a, errors: 0, deleted',
		'no errors',
		'speech:a',
		Buffer.from([0xff, 0xfe, 0]),
	])('accepts any body of a response with status 200 (%j)', async (body) => {
		emulator.answer(body);
		expect(await voice.json(deleteA)).toEqual({ deleted: true, uri: 'speech:a' });
	});

	test.each([
		['<html><head><title>Sign in</title></head><body>…</body></html>', 'Sign in '],
		['<!DOCTYPE html><body><h1>Welcome</h1><p>…</p></body>', 'Welcome '],
		['<html><body>…</body></html>', ''],
	])('fails for the HTML page %s with status 200, and shows its title at most', async (body, title) => {
		emulator.answer(body);
		expect((await voice.error(deleteA)).message).toBe(
			`The response is not from the service: ${title}(an HTML page, not a response of the service)`,
		);
	});

	test('fails if a response with status 200 reports an error', async () => {
		emulator.answer({ code: 30001, message: 'Still in use', request: 'r1' });
		expect(await voice.error(deleteA)).toMatchObject({ message: 'Still in use', code: 30001 });
	});

	test.each([
		[{ deleted: false }, 'The service reported a failure: {"deleted":false}'],
		[{ success: false }, 'The service reported a failure: {"success":false}'],
		[{ ok: 'false', reason: 'in use' }, 'in use'],
		[{ status: 'failed' }, 'The service reported a failure: {"status":"failed"}'],
		[{ status: 'error', message: 'no such voice' }, 'no such voice'],
		[{ status: 404, title: 'Not Found' }, 'Not Found'],
		[{ code: 40001, msg: 'not found' }, 'not found'],
		[{ code: 'VOICE_GONE', message: 'gone' }, 'gone'],
		[{ detail: 'not found' }, 'not found'],
		[{ detail: [{ loc: ['body', 'uri'], msg: 'Field required' }] }, 'body.uri: Field required'],
		[{ errors: ['locked'] }, 'locked'],
		[{ message: 'No such voice' }, 'No such voice'],
		[{ msg: 'It does not exist' }, 'It does not exist'],
		['false', 'The service reported a failure without a reason'],
		['not found', 'not found'],
		['"Deleting speech:a failed"', 'Deleting speech:a failed'],
		['no', 'no'],
		[{ result: 'Voice not found' }, 'Voice not found'],
		[{ code: 20000, message: 'Ok', data: { deleted: false, msg: 'shared' } }, 'shared'],
		[
			{ code: 20000, message: 'Ok', status: true, result: { success: false } },
			'The service reported a failure',
		],
	])('fails if a response with status 200 says no: %j', async (body, message) => {
		emulator.answer(body);
		expect((await voice.error(deleteA)).message).toContain(message);
	});

	test.each([
		['={{ " " }}', 'must have a value, but {{ " " }} has none'],
		['={{ [7] }}', 'must be text'],
		['my-voice', "must begin with speech:, like the URIs that 'Get Many' outputs"],
		['={{ "speech:" }}', "must begin with speech:, like the URIs that 'Get Many' outputs"],
	])('refuses the URI %s before it sends a request', async (value, rule) => {
		expect(await voice.refusal(deleting({ __rl: true, mode: 'uri', value }))).toBe(
			wrongParameter('uri', rule),
		);
	});

	test.each(['speech:no such error:1:2 is gone', 'The voice no such error is gone'])(
		'takes no word of the URI for that of a failure: %s',
		async (said) => {
			emulator.answer(JSON.stringify(said));
			await voice.json(deleting({ __rl: true, mode: 'uri', value: 'speech:no such error:1:2' }));
		},
	);

	test.each([
		[
			'the same for all items',
			'speech:a',
			"All 2 items deleted the same voice style: if each item means another one, use an expression in 'Voice Style'.",
		],
		['of each item', '={{ $json.uri }}', ''],
	])('says if the style is %s', async (_, value, hint) => {
		emulator.answer('ok', { times: Infinity });
		const items = [{ uri: 'speech:b' }, { uri: 'speech:c' }];
		expect(await voice.hint(deleting({ __rl: true, mode: 'uri', value }), { items })).toBe(hint);
	});

	test("fails with the service's message for an unknown voice style", async () => {
		const { outputs } = await voice.run(deleting({ __rl: true, mode: 'uri', value: 'speech:gone' }));
		expect(outputs).toThrow(
			expect.objectContaining({ name: NodeApiError.name, message: expect.stringMatching(/speech:gone/) }),
		);
	});
});

describe('the list of voice styles in Delete', () => {
	/** Loads the list in the way in which n8n's server does it when a person opens it in the editor. */
	async function search(filter?: string, credential: IDataObject = {}): Promise<INodeListSearchResult> {
		const type = new Voice();
		const node: INode = {
			id: '1',
			name: 'Voice',
			type: 'n8n-nodes-inference-service.voice',
			typeVersion: 1,
			position: [0, 0],
			parameters: { operation: 'delete' },
			credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
		};
		const workflow = new Workflow({
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes: nodeTypesOf({ [node.type]: type }),
		});
		const data = { baseUrl: emulator.url, apiKey: emulator.apiKey, ...credential };
		const additionalData = {
			credentialsHelper: new CredentialsStore(credentialTypes, { inferenceServiceApi: data }, () => {}),
		} as unknown as IWorkflowExecuteAdditionalData;
		const context = new LoadOptionsContext(workflow, node, additionalData, 'parameters.uri');
		const { modes } = type.description.properties.find(({ name }) => name === 'uri')!;
		const method = modes![0]!.typeOptions!.searchListMethod as 'searchStyles';
		return await type.methods.listSearch[method].call(context, filter);
	}

	test('shows name and model, and stores the URI', async () => {
		const uris = await uploadStyles('narrator', 'host');
		expect(await search()).toEqual({
			results: [
				{ name: 'narrator (vendor/8)', value: uris[0] },
				{ name: 'host (vendor/4)', value: uris[1] },
			],
		});
		expect(emulator.requests[0]!.headers.authorization).toBe(`Bearer ${emulator.apiKey}`);
	});

	test.each([
		['nARR', ['Narrator (vendor/8)']],
		['vendor/4', ['host (vendor/4)']],
		['voice_000002', ['host (vendor/4)']],
		['.*', []],
	])('is filtered by name, model and URI (%s)', async (filter, names) => {
		await uploadStyles('Narrator', 'host');
		const { results } = await search(filter);
		expect(results.map(({ name }) => name)).toEqual(names);
	});

	test('tells two of one name apart by their URIs, by which they can be found', async () => {
		const results = [
			{ customName: 'narrator', model: 'a', uri: 'speech:narrator:1:x' },
			{ customName: 'host', model: 'a', uri: 'speech:host:1:x' },
			{ customName: 'narrator', model: 'b', uri: 'speech:narrator:2:x' },
		];
		emulator.answer({ results }, { times: 2 });
		expect((await search()).results.map(({ name }) => name)).toEqual([
			'narrator (a) – speech:narrator:1:x',
			'host (a)',
			'narrator (b) – speech:narrator:2:x',
		]);
		expect((await search('narrator:2')).results).toHaveLength(1);
	});

	const composed = 'Zo\u00eb';
	const decomposed = 'Zoe\u0308';

	test.each([
		[composed, decomposed],
		['night owl', 'night\u00a0 owl '],
		['night owl', 'night \u200bowl'],
	])('shows the URIs of two voice styles whose names look the same: %j and %j', async (one, other) => {
		const results = [one, other, 'host'].map((customName, index) => ({
			customName,
			model: 'a',
			uri: `speech:${index}`,
		}));
		emulator.answer({ results });
		const { results: found } = await search();
		expect(found.map(({ name }) => name.includes('speech:'))).toEqual([true, true, false]);
	});

	test.each([composed, decomposed, 'NIGHT  OWL', 'night\u00a0owl'])(
		'is searched whatever the form of accents and spaces: %j',
		async (filter) => {
			const names = filter.startsWith('Z') ? [composed, decomposed] : ['Night owl', 'night\u00a0\u00a0owl'];
			const results = [...names, 'host'].map((customName, index) => ({
				customName,
				model: 'a',
				uri: `speech:${index}`,
			}));
			emulator.answer({ results });
			expect((await search(filter)).results.map(({ value }) => value)).toEqual(['speech:0', 'speech:1']);
		},
	);

	test.each(['', '  ', '\u200b', null])(
		'shows the URI of a voice style whose name is %j',
		async (customName) => {
			emulator.answer({ results: [{ customName, model: ' ', uri: 'speech:7' }] });
			expect((await search()).results).toEqual([{ name: 'speech:7 (unknown model)', value: 'speech:7' }]);
		},
	);

	test('has each style deleted by its URI, whatever form that has', async () => {
		emulator.answer('Done');
		const style = { __rl: true, mode: 'list', value: 'urn:voice:7' };
		expect(await voice.json(deleting(style))).toMatchObject({ deleted: true, uri: 'urn:voice:7' });
	});

	test('leaves out a style without a URI', async () => {
		const results = [
			{ customName: 'a' },
			{ customName: 'b', uri: null },
			{ customName: 'c', uri: 'speech:c' },
		];
		emulator.answer({ results });
		expect((await search()).results).toEqual([{ name: 'c (unknown model)', value: 'speech:c' }]);
	});

	test('shows why it could not be loaded, and what to check', async () => {
		const failed = search('', { apiKey: 'wrong' });
		await expect(failed).rejects.toBeInstanceOf(NodeApiError);
		await expect(failed).rejects.toMatchObject({
			message: 'The API key is missing or not valid.',
			description: expect.stringMatching(/^Check the API key in the credential/),
			httpCode: '401',
		});
	});

	test('is requested once more after a 503, and not a third time', async () => {
		const uris = await uploadStyles('narrator');
		emulator.fault({ status: 503 });
		expect(await search()).toMatchObject({ results: [{ value: uris[0] }] });
		emulator.fault({ status: 503, body: 'Overloaded', times: 2 });
		await expect(search()).rejects.toThrow('Overloaded');
	});

	test('fails immediately if Retry-After is longer than five seconds', async () => {
		emulator.fault({ status: 429, body: 'Slow down', headers: { 'retry-after': '5.001' } });
		await expect(search()).rejects.toThrow('Slow down');
		expect(emulator.requests).toHaveLength(1);
	});
});
