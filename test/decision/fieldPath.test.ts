import fc from 'fast-check';

import { fieldReader, pathFinder, splitNames } from '../../nodes/shared/text/fieldPath';

test.each([
	[' subject ,, message ', ['subject', 'message']],
	['', []],
	["['Your Message'], address.city", ["['Your Message']", 'address.city']],
	["['Name, first'], b", ["['Name, first']", 'b']],
	[String.raw`['It\'s, well'], b`, [String.raw`['It\'s, well']`, 'b']],
	["['a, b']['c, d'].e, f", ["['a, b']['c, d'].e", 'f']],
	['a[b, c', ['a[b', 'c']],
	['price [EUR, net], note', ['price [EUR, net]', 'note']],
	['tags[0], b', ['tags[0]', 'b']],
])('%s names the fields %j', (list, names) => {
	expect(splitNames(list)).toEqual(names);
});

test.each<[name: string, json: object, value: unknown]>([
	['a', { a: 1 }, 1],
	['a.b', { 'a.b': 1, a: { b: 2 } }, 1],
	['a.b', { a: { b: 2 } }, 2],
	["['Your Message']", { 'Your Message': 'hi' }, 'hi'],
	["['Your Message']", { "['Your Message']": 'literal', 'Your Message': 'hi' }, 'literal'],
	['Your Message', { 'Your Message': 'hi' }, 'hi'],
	["['a']['b c'].d", { a: { 'b c': { d: 3 } } }, 3],
	['a["b"]', { a: { b: 5 } }, 5],
	[String.raw`['It\'s']`, { "It's": 6 }, 6],
	['tags[1]', { tags: ['x', 'y'] }, 'y'],
	['tags.length', { tags: ['x', 'y'] }, undefined],
	['a.b', { a: { b: null } }, null],
	['a.b', { a: null }, undefined],
	['a.b', { a: 'text' }, undefined],
	['constructor', {}, undefined],
	['a.constructor', { a: {} }, undefined],
	['__proto__', JSON.parse('{ "__proto__": 7 }') as object, 7],
	['a.__proto__', JSON.parse('{ "a": { "__proto__": 8 } }') as object, 8],
	['__proto__', {}, undefined],
	['a..b', { a: { b: 1 } }, undefined],
	['a[', { a: 1 }, undefined],
	['', { a: 1 }, undefined],
	['', { '': 1 }, 1],
	['réf', { 're\u0301f': 1 }, 1],
	['re\u0301f', { réf: 2 }, 2],
	["données['e\u0301té']", { 'donne\u0301es': { été: 3 } }, 3],
	['réf', { 're\u0301f': 1, réf: 2 }, 2],
	['réf', { ref: 1 }, undefined],
	['Message', { 'Message ': 1 }, 1],
	['Message', { '\ufeffMessage': 1 }, 1],
	['Pet name', { 'Pet\u00a0name': 1 }, 1],
	['Pet  name', { 'Pet name': 1 }, 1],
	["['Pet\u00a0name'].age", { 'Pet name': { '\tage': 1 } }, 1],
	['réf', { ' re\u0301f': 1 }, 1],
	['Message', { 'Message ': 1, Message: 2 }, 2],
	['Message', { 'Message ': 1, ' Message': 2 }, undefined],
	['Petname', { 'Pet name': 1 }, undefined],
	['message', { 'Message ': 1 }, undefined],
])('the name %s reads from %j the value %j', (name, json, value) => {
	expect(fieldReader(name)(json)).toEqual(value);
});

test('a field with the value undefined or null is found, and a missing field is not', () => {
	expect(pathFinder('a.b')({ a: { b: null } })).toEqual(['a', 'b']);
	expect(pathFinder('a.b')({ a: {} })).toBeUndefined();
});

test('a field in another Unicode form is found as it is spelt in the item', () => {
	expect(pathFinder('réf')({ 're\u0301f': 1 })).toEqual(['re\u0301f']);
	expect(pathFinder('a.réf')({ a: { 're\u0301f': 1 } })).toEqual(['a', 're\u0301f']);
});

test('the path that the editor writes for a field finds it, whatever its name is', () => {
	// The editor does not escape backslashes, so a name that ends in one cannot be told from an escaped quote.
	const name = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\\'));
	fc.assert(
		fc.property(name, name, (outer, inner) => {
			const json = Object.fromEntries([[outer, Object.fromEntries([[inner, 'found']])]]);
			const path = [outer, inner].map((key) => `['${key.replaceAll("'", "\\'")}']`).join('');
			fc.pre(!Object.hasOwn(json, path));
			expect(fieldReader(path)(json)).toBe('found');
			expect(splitNames(`${path}, other`)).toEqual([path, 'other']);
		}),
	);
});
