import { parseResponseJson } from '../client/parseResponseJson';

/** Long enough to be looked at before it is parsed. */
const FILLER = 'x'.repeat(1000);

const nested = (levels: number, [open, close] = ['[', ']']) => open.repeat(levels) + close.repeat(levels);

test.each([
	['two thousand objects side by side', `[${Array(2000).fill('{}').join(',')}]`],
	['two thousand lists side by side', `[${Array(2000).fill('[]').join(',')}]`],
	['a thousand levels', nested(1000)],
	['a thousand levels of objects', `${'{"a":'.repeat(999)}{}${'}'.repeat(999)}`],
	['brackets within a text', JSON.stringify([FILLER, '['.repeat(2000)])],
	['brackets after an escaped quote', JSON.stringify([FILLER, `"${'['.repeat(2000)}`])],
	['brackets after an escaped backslash and a quote', JSON.stringify([FILLER, `\\"${'{'.repeat(2000)}`])],
	['a text that ends with a backslash', JSON.stringify([FILLER, '\\', []])],
	['white space before it', ` \n${JSON.stringify([FILLER])}`],
	['a text alone', JSON.stringify('['.repeat(2000))],
])('%s are parsed', (_, text) => {
	expect(parseResponseJson(text)).toEqual({ success: true, value: JSON.parse(text) as unknown });
});

test.each([
	['lists', nested(1001)],
	['objects', `${'{"a":'.repeat(1000)}{}${'}'.repeat(1000)}`],
	['lists that are never closed', '['.repeat(5000)],
	['lists behind a text', `["${FILLER}\\\\", ${nested(1000)}]`],
	['lists behind white space', `\n ${nested(1001)}`],
])('%s in more than a thousand levels are not', (_, text) => {
	expect(parseResponseJson(text)).toEqual({
		success: false,
		problem: 'it is nested more than 1000 levels deep',
	});
});

test('a million lists and objects are parsed, and no more', () => {
	const withContainers = (count: number) =>
		`[${Array(count - 1)
			.fill('[]')
			.join(',')}]`;
	expect(parseResponseJson(withContainers(1_000_000))).toMatchObject({ success: true });
	expect(parseResponseJson(withContainers(1_000_001))).toEqual({
		success: false,
		problem: 'it has more than 1000000 lists and objects',
	});
});
