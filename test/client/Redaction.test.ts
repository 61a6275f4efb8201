import fc from 'fast-check';

import { Redaction } from '../../client/response/Redaction';

const LONG = 10_000;

const encoded = (format: (code: number) => string) => (text: string) =>
	[...text].map((character) => format(character.charCodeAt(0))).join('');

const hex = (code: number, digits = 2) => code.toString(16).padStart(digits, '0');

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

const entities: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#039' };

const inHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&${entities[character]};`);

const SPELLINGS: Record<string, (key: string) => string> = {
	'as it is': (key) => key,
	'in capitals': (key) => key.toUpperCase(),
	'escaped for JSON': inJson,
	'escaped for JSON in Unicode': encoded((code) => `\\u${hex(code, 4)}`),
	'twice escaped for JSON': (key) => inJson(inJson(key)),
	'twice escaped for JSON in Unicode': encoded((code) => `\\\\u${hex(code, 4).toUpperCase()}`),
	'escaped by PHP': (key) => inJson(key).replaceAll('/', '\\/'),
	'percent-encoded': encodeURIComponent,
	'percent-encoded as a whole': encoded((code) => `%${hex(code)}`),
	'in HTML': inHtml,
	'in HTML by numbers': encoded((code) => `&#${code};`),
	'in HTML by hexadecimal numbers': encoded((code) => `&#x${hex(code)};`),
};

const HARD = '\\"\'%&<>/+-_~*u0a';

const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));

/** Keys of every printable character, and of runs of the few that escapes consist of. */
const keys = fc.oneof(
	fc.string({ unit: printable, minLength: 8, maxLength: 40 }),
	fc.string({ unit: fc.constantFrom(...HARD), minLength: 8, maxLength: 40 }),
	fc
		.tuple(fc.constantFrom(...HARD), fc.integer({ min: 7, max: 39 }), printable)
		.map(([run, length, last]) => run.repeat(length) + last),
);

/** What is in no key, and in no spelling of one. */
const around = fc.string({ unit: fc.constantFrom(' ', 'ж', '\n', '\u{1f600}'), maxLength: 5 });

test.each(Object.entries(SPELLINGS))('a key is masked %s, and nothing else', (_, spell) => {
	fc.assert(
		fc.property(keys, around, around, (key, before, after) => {
			const redaction = new Redaction(key);
			expect(redaction.ofError(before + spell(key) + after, LONG)).toBe(`${before}*****${after}`);
		}),
		{ numRuns: 200, examples: [['\\'.repeat(16) + 'Z', '', '']] },
	);
});

test('it is masked in base64, wherever it begins', () => {
	const text = fc.string({ unit: fc.constantFrom(' ', '\xa0', '\xff'), maxLength: 4 });
	fc.assert(
		fc.property(keys, text, text, fc.boolean(), (key, before, after, isOfUrls) => {
			const digits = btoa(before + key + after);
			const spelled = isOfUrls ? digits.replaceAll('+', '-').replaceAll('/', '_') : digits;
			expect(new Redaction(key).ofError(`Basic ${spelled}.`, LONG)).toBe('Basic *****.');
		}),
		{ numRuns: 500 },
	);
});

test('every spelling in a text is masked', () => {
	const key = 'sk-a"b\\c/d&e';
	const all = Object.values(SPELLINGS).map((spell) => spell(key));
	expect(new Redaction(key).ofError(all.join(' '), LONG)).toBe(all.map(() => '*****').join(' '));
});

const nearly = fc
	.tuple(keys, fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('', ...HARD)), { maxLength: 8 }))
	.map(([key, parts]) => ({
		key,
		text: parts
			.map(([from, to, more]) => key.slice(from % key.length, to % (key.length + 1)) + more)
			.join(''),
	}));

test('text that nearly has the key stays as it is, and in pieces it is masked as in one', () => {
	fc.assert(
		fc.property(nearly, fc.integer({ min: 1, max: 20 }), ({ key, text }, size) => {
			const redaction = new Redaction(key);
			const whole = redaction.ofOutput(text);
			if (!text.includes(key)) expect(whole).toBe(text);
			else expect(whole).toBe(text.replaceAll(key, () => '*****'));
			const pieces = redaction.inPieces();
			let shown = '';
			for (let start = 0; start < text.length; start += size) {
				shown += pieces.push(text.slice(start, start + size));
			}
			expect(shown + pieces.end()).toBe(whole);
		}),
		{ numRuns: 1000 },
	);
});

test('the time does not depend on how nearly a text has the key', () => {
	const hard = [...HARD].flatMap((character) => {
		const run = character.repeat(30);
		return [`${run}Z`, `Z${run}`, `${run}Z${run}`, `${'ab'.repeat(4000)}${run}`].map((key) => ({
			key,
			unit: run,
		}));
	});
	for (const { key, unit } of hard) {
		const redaction = new Redaction(key);
		for (const text of [unit, key.slice(1), key.slice(0, -1), inJson(unit), `${unit}Y`]) {
			const long = text.repeat(Math.ceil(20_000 / text.length));
			redaction.ofError(long, LONG);
			redaction.ofOutput(long);
			redaction.inPieces().push(long);
		}
	}
}, 30_000);

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
	const key = 'sk~?>_7QkR9~?>xW2p#';
	const redaction = new Redaction(key);
	for (let longest = 50; longest < 150; longest++) {
		expect(redaction.ofError(`${key} `.repeat(100), longest)).toMatch(/^[* ]*…$/);
		expect(redaction.ofError(`${inHtml(key)} `.repeat(100), longest)).toMatch(/^[* ]*…$/);
	}
});

test('in a result it is masked in texts and names at any depth, and fields keep their order', () => {
	const KEY = 'sk-12345';
	const redaction = new Redaction(KEY);
	const result = JSON.parse(
		`{ "first": ["<${KEY}>", { "${KEY}-name": [["${KEY}"]] }], "${KEY}": 2, "__proto__": "${KEY}", "last": null }`,
	) as object;
	expect(redaction.ofResult(result)).toBe(result);
	expect(Object.entries(result)).toEqual([
		['first', ['<*****>', { '*****-name': [['*****']] }]],
		['*****', 2],
		['__proto__', '*****'],
		['last', null],
	]);
	expect(redaction.ofResult(`${KEY}${KEY}`)).toBe('**********');
});

test('of text in pieces only what may be the beginning of the key is held back', () => {
	const pieces = new Redaction('sk-sk-12345').inPieces();
	expect(pieces.push('a sk-sk-')).toBe('a ');
	expect(pieces.push('sk-')).toBe('sk-');
	expect(pieces.push('x')).toBe('sk-sk-x');
	expect(pieces.push('end s')).toBe('end ');
	expect(pieces.end()).toBe('s');
});
