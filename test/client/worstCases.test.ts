import { reportedError } from '../../client/response/errors';
import { readEvents } from '../../client/response/readEvents';
import { readPath, splitNames } from '../../nodes/Decision/state/fieldPath';
import { parseGeneratedJson } from '../../nodes/Message/responseFormat';

/*
 * Readers that loop over a text in their own way: 400 kB of the worst text that is known for each. A reader whose time grows
 * with the square of the length would take minutes. Regular expressions are the lint's concern (eslint-plugin-regexp).
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
	for await (const _event of readEvents(inChunks(text), () => false));
}

test.each(['data: 1\n', '\r', 'junk\n', ':\n', 'data: {}\n\n'])(
	'a stream of %j is an error, because its end is missing or it has no end',
	async (line) => {
		await expect(readAll(fill(line))).rejects.toThrow(/ended before it was complete|more than/);
	},
);

test.each(['<h1', '<title ', '<'])("an error's page of %j is read to its end", (tag) => {
	expect(reportedError(`<html>${fill(tag)}`).message).toBeDefined();
});

test.each([
	['fences around 1', fill('```\n1')],
	['fences that shrink', shrinkingFences()],
])('in %s, JSON is found', (_, text) => {
	expect(parseGeneratedJson(text, 'end_turn')).toBe(1);
});

test.each(['```\n[', '~~~```'])('in fences like %j, no JSON is found', (unit) => {
	expect(() => parseGeneratedJson(fill(unit), 'end_turn')).toThrow(/JSON/);
});

test.each([',', '[', "['", "['a'],", '[a', '["a\''])(
	'names of fields like %j are read to their end',
	(unit) => {
		expect(splitNames(fill(unit))).toBeDefined();
	},
);

test.each(['a.', '[', "['a']", 'a[0]'])('a path like %j leads nowhere', (unit) => {
	expect(readPath({ a: 1 }, fill(unit))).toBeUndefined();
});
