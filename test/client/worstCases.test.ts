import { reportedError } from '../../client/response/errors';
import { readEvents } from '../../client/response/readEvents';
import { fieldReader, splitNames } from '../../nodes/Decision/state/fieldPath';
import { parseGeneratedJson } from '../../nodes/Message/responseFormat';

/*
 * Tests functions that loop over a text with 400 kB of the worst text that is known for each. A function whose time grows with the
 * square of the length would take minutes. Regular expressions are not tested, because ESLint checks them (eslint-plugin-regexp).
 */
const LENGTH = 400_000;

const fill = (unit: string) => unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH);

/** Code fences, each one backtick shorter than the one before. */
function shrinkingFences(): string {
	const lengths = Array.from({ length: 890 }, (_, index) => 892 - index);
	return lengths.map((length) => `${'`'.repeat(length)}\n1`).join('');
}

async function* inChunks(text: string): AsyncGenerator<Uint8Array> {
	const bytes = new TextEncoder().encode(text);
	for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000);
}

async function readAll(text: string): Promise<void> {
	for await (const _event of readEvents(inChunks(text), { isEnded: false, endMark: '[DONE]' }));
}

test.each(['data: 1\n', '\r', 'junk\n', ':\n', 'data: {}\n\n'])(
	'400 kB of %j as a stream give an error without delay',
	async (line) => {
		await expect(readAll(fill(line))).rejects.toThrow(/ended before it was complete|more than/);
	},
);

test.each(['<h1', '<title ', '<'])(
	'an HTML error page of 400 kB of %j gives a message without delay',
	(tag) => {
		expect(reportedError(`<html>${fill(tag)}`).message).toBeDefined();
	},
);

test.each([
	['fences around 1', fill('```\n1')],
	['fences that shrink', shrinkingFences()],
])('400 kB of %s are searched for JSON without delay', (_, text) => {
	expect(parseGeneratedJson(text, 'end_turn')).toBe(1);
});

test.each(['```\n[', '~~~```'])('400 kB of code fences like %j give an error without delay', (unit) => {
	expect(() => parseGeneratedJson(fill(unit), 'end_turn')).toThrow(/JSON/);
});

test.each([',', '[', "['", "['a'],", '[a', '["a\''])(
	'400 kB of field names like %j are read without delay',
	(unit) => {
		expect(splitNames(fill(unit))).toBeDefined();
	},
);

test.each(['a.', '[', "['a']", 'a[0]'])('a path of 400 kB like %j finds no field, without delay', (unit) => {
	expect(fieldReader(fill(unit))({ a: 1 })).toBeUndefined();
});

test('a field path of 400 kB is parsed once for 2000 items, and never copied', () => {
	const read = fieldReader(`${fill('a.')}a`);
	const match = jest.spyOn(RegExp.prototype, 'exec');
	const copy = jest.spyOn(Array.prototype, 'slice');
	for (let item = 0; item < 2000; item++) read({ b: 1 });
	const calls = { match: match.mock.calls.length, copy: copy.mock.calls.length };
	jest.restoreAllMocks();
	// Each match of the parser gives one key of the path.
	expect(calls).toEqual({ match: LENGTH / 2 + 1, copy: 0 });
});

test('a field path of 400 kB is followed only as far as an item has its fields', () => {
	const read = fieldReader(`${fill('a.')}a`);
	const asked: PropertyKey[] = [];
	const watched = (json: object): object =>
		new Proxy(json, {
			getOwnPropertyDescriptor: (target, key) => {
				asked.push(String(key).slice(0, 4));
				return Reflect.getOwnPropertyDescriptor(target, key);
			},
		});
	expect(read(watched({ a: watched({ b: 1 }) }))).toBeUndefined();
	// The whole name is looked for first.
	expect(asked).toEqual(['a.a.', 'a', 'a']);
});
