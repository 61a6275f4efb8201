import { lengthOfText } from '../../nodes/shared/context/knownItems';
import { TO_READ } from '../../nodes/shared/fields/expressionRules';
import { readMember, unreadableExpressions } from '../../nodes/shared/fields/expressionText';
import { fieldReader } from '../../nodes/shared/text/fieldPath';
import { hasContent } from '../../nodes/shared/text/hasContent';
import { hasSentence } from '../../nodes/shared/text/sentence';
import { whyUnreadable } from '../../nodes/shared/text/unreadable';
import { parseGeneratedJson } from '../../nodes/Message/responseFormat';
import { FILLED_LENGTH, fillText } from '../support/fillText';

// A function whose time grows with the square of the length of a text would take minutes for these.

/** Returns code fences, each one backtick shorter than the one before. */
function shrinkingFences(): string {
	const lengths = Array.from({ length: 890 }, (_, index) => 892 - index);
	return lengths.map((length) => `${'`'.repeat(length)}\n1`).join('');
}

test.each([
	['fences around 1', fillText('```\n1')],
	['fences that shrink', shrinkingFences()],
])('400 kB of %s are searched for JSON without delay', (_, text) => {
	expect(parseGeneratedJson(text, 'end_turn').json).toBe(1);
});

test.each(['```\n[', '~~~```'])('400 kB of code fences like %j give an error without delay', (unit) => {
	expect(() => parseGeneratedJson(fillText(unit), 'end_turn')).toThrow(/JSON/);
});

test.each([
	['=Answer {{ $json.a }}, {{ $json.b }}', `Answer ${fillText('A word ')}, B`],
	['={{ $json.a }}', fillText('undefined ')],
	['={{ $json.a }} {{ $json.b }} {{ $json.c }}', `${fillText(' ')} a b`],
])('no expression is evaluated again for an ordinary long text: %s', (stored, resolved) => {
	const evaluated: string[] = [];
	const evaluate = (expression: string) => evaluated.push(expression);
	expect(unreadableExpressions(stored, resolved, TO_READ, evaluate)).toEqual([]);
	expect(evaluated).toEqual([]);
});

test.each(['<', '<a', '<p ', '<img alt=', '&nbsp;', '<!--', '<style>', '<br>'])(
	'400 kB of HTML like %j are searched for text without delay',
	(unit) => {
		expect(() => hasContent(fillText(unit))).not.toThrow();
	},
);

test.each(['<', '<style>', '</style', ' '])('400 kB of %j are measured without delay', (unit) => {
	expect(lengthOfText(fillText(unit))).toBeLessThan(2 * FILLED_LENGTH);
});

test.each(['[', "['", '.a', '["a'])(
	'400 kB of an expression like %j are searched for a member without delay',
	(unit) => {
		expect(readMember([fillText(unit)], 'b')).toBe(false);
	},
);

test.each(['[{},', '{}', ', ', '#A/', '犬 ', 'หมาa'])(
	'400 kB of %j are searched for what they say without delay',
	(unit) => {
		expect(() => [whyUnreadable(fillText(unit)), hasSentence(fillText(unit))]).not.toThrow();
	},
);

test.each(['a.', '[', "['a']", 'a[0]'])('a path of 400 kB like %j finds no field, without delay', (unit) => {
	expect(fieldReader(fillText(unit))({ a: 1 })).toBeUndefined();
});

test('a field path of 400 kB is parsed once for 2000 items, and never copied', () => {
	const read = fieldReader(`${fillText('a.')}a`);
	const match = jest.spyOn(RegExp.prototype, 'exec');
	const copy = jest.spyOn(Array.prototype, 'slice');
	for (let item = 0; item < 2000; item++) read({ b: 1 });
	const ofParser = match.mock.contexts.filter((pattern) => (pattern as unknown as RegExp).sticky);
	const calls = { match: ofParser.length, copy: copy.mock.calls.length };
	jest.restoreAllMocks();
	// Only the parser has a sticky pattern, and each match of it gives one key of the path.
	expect(calls).toEqual({ match: FILLED_LENGTH / 2 + 1, copy: 0 });
});

test('a field path of 400 kB is followed only as far as an item has its fields', () => {
	const read = fieldReader(`${fillText('a.')}a`);
	const asked: PropertyKey[] = [];
	const watched = (json: object): object =>
		new Proxy(json, {
			getOwnPropertyDescriptor: (target, key) => {
				asked.push(String(key).slice(0, 4));
				return Reflect.getOwnPropertyDescriptor(target, key);
			},
		});
	expect(read(watched({ a: watched({ b: 1 }) }))).toBeUndefined();
	// The whole name is looked for first. Where a name is missing, the names that are there are compared with it.
	expect(asked).toEqual(['a.a.', 'a', 'a', 'a', 'b']);
});
