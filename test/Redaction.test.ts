import { Redaction } from '../client/Redaction';

const LONG = 500;

const LONGEST_KEY = 'sk~?>_7QkR9~?>xW2p#';

/**
 * Keys of each length, so that they end at each place in a group of base64, with characters that differ in its two
 * alphabets.
 */
const KEYS = Array.from({ length: 12 }, (_, index) => LONGEST_KEY.slice(0, 8 + index));

describe('in base64', () => {
	test.each(KEYS)('every digit that holds a bit of %s is masked, and no other', (key) => {
		const redaction = new Redaction(key);
		for (const before of ['', 'a', 'bc', 'def', 'ghij']) {
			for (const after of ['', 'k', 'lm', 'nop']) {
				const digits = btoa(before + key + after);
				const own = {
					from: Math.floor((before.length * 8) / 6),
					to: Math.ceil(((before.length + key.length) * 8) / 6),
				};
				const expected = `${digits.slice(0, own.from)}*****${digits.slice(own.to)}`;
				expect(redaction.ofError(digits, LONG)).toBe(expected);
				const ofUrls = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_');
				expect(redaction.ofError(ofUrls(digits), LONG)).toBe(ofUrls(expected));
			}
		}
	});
});

test.each(['', 'short', 'seven77'])('a key as short as "%s" is not looked for', (key) => {
	const redaction = new Redaction(key);
	const text = `a ${key} and more`;
	expect(redaction.ofError(text, LONG)).toBe(text);
	expect(redaction.ofOutput(text)).toBe(text);
	expect(redaction.ofResult({ [text]: text })).toEqual({ [text]: text });
	const pieces = redaction.inPieces();
	expect([pieces.push(text), pieces.end()]).toEqual([text, '']);
	expect(redaction.ofError('abcdef', 3)).toBe('abc…');
	expect(redaction.ofError('abc', 3)).toBe('abc');
});

test('no beginning of the key is left where an error is cut off, however often the key occurs before that', () => {
	const text = `${LONGEST_KEY} `.repeat(100);
	const redaction = new Redaction(LONGEST_KEY);
	for (let longest = 50; longest < 150; longest++) {
		expect(redaction.ofError(text, longest)).toMatch(/^[* ]*…$/);
	}
});

describe('in a result', () => {
	const KEY = 'sk-12345';

	const redaction = new Redaction(KEY);

	test('it is masked in texts and in names, at any depth', () => {
		const result = { a: [`<${KEY}>`, { [`${KEY}-name`]: [[KEY]] }], b: 7, c: null };
		expect(redaction.ofResult(result)).toEqual({
			a: ['<*****>', { '*****-name': [['*****']] }],
			b: 7,
			c: null,
		});
		expect(redaction.ofResult(`${KEY}${KEY}`)).toBe('**********');
	});

	test('fields keep their order, and one named __proto__ stays a field', () => {
		const result = JSON.parse(
			`{ "first": 1, "${KEY}": 2, "__proto__": "${KEY}", "last": "${KEY}" }`,
		) as object;
		redaction.ofResult(result);
		expect(Object.entries(result)).toEqual([
			['first', 1],
			['*****', 2],
			['__proto__', '*****'],
			['last', '*****'],
		]);
	});
});

describe('in text that arrives in pieces', () => {
	const KEY = 'sk-sk-12345';

	test.each([
		['at every place', [...`a ${KEY} b`]],
		['in its midst', ['a sk-sk-1', '2345 b']],
		['whole', [`a ${KEY} b`]],
	])('it is masked though split %s', (_, split) => {
		const pieces = new Redaction(KEY).inPieces();
		const shown = split.map((piece) => pieces.push(piece)).join('');
		expect(shown + pieces.end()).toBe('a ***** b');
	});

	test('only what may be its beginning is held back', () => {
		const pieces = new Redaction(KEY).inPieces();
		expect(pieces.push('a sk-sk-')).toBe('a ');
		expect(pieces.push('sk-')).toBe('sk-');
		expect(pieces.push('x')).toBe('sk-sk-x');
		expect(pieces.push('end s')).toBe('end ');
		expect(pieces.end()).toBe('s');
	});
});
