import type { INodeProperties } from 'n8n-workflow';

import {
	booleanField,
	collectionField,
	entriesField,
	integerField,
	locatorField,
	numberField,
	option,
	optionsField,
	orDefault,
	placeOf,
	required,
	textField,
	trimmed,
	type Field,
	type OptionsProperty,
} from '../../nodes/shared/fields/Field';
import { jsonField } from '../../nodes/shared/fields/jsonField';
import { billingFields } from '../../nodes/shared/fields/billingFields';

const base = { displayName: 'Size', name: 'size', type: 'string', default: '' } satisfies INodeProperties;

const limited = (minValue?: number, maxValue?: number): INodeProperties => ({
	...base,
	type: 'number',
	typeOptions: { minValue, maxValue },
});

const options: OptionsProperty<'s' | 'l'> = {
	...base,
	type: 'options',
	options: [
		{ name: 'Small', value: 's' },
		{ name: 'Large', value: 'l' },
	],
};

const choice = optionsField(options);

function parse(field: Field, value: unknown): unknown {
	return field.parse(value, placeOf(field, value));
}

function problemOf(field: Field, value: unknown): string {
	try {
		parse(field, value);
	} catch (error) {
		return (error as Error).message;
	}
	throw new Error('It was taken');
}

test.each<[name: string, field: Field, values: unknown[]]>([
	['a number', numberField(limited()), [undefined, null, '', ' \n']],
	['a whole number', integerField(limited(1, 2)), [undefined, null, '', ' ']],
	['an option', choice, [undefined, null, '']],
	['JSON', jsonField(base), [undefined, null, '', ' \n']],
])('the field for %s reads an empty value as undefined', (_, field, values) => {
	for (const value of values) expect(parse(field, value)).toBeUndefined();
});

test.each<[name: string, field: Field, pairs: Array<[given: unknown, read: unknown]>]>([
	[
		'text',
		textField(base),
		[
			['a ', 'a '],
			[0, '0'],
			[false, 'false'],
			[undefined, ''],
			[null, ''],
		],
	],
	['trimmed text', trimmed(textField(base)), [[' a b ', 'a b']]],
	[
		'a number',
		numberField(limited(-1, 2.5)),
		[
			[-1, -1],
			[2.5, 2.5],
			['0.5', 0.5],
			[' 1 ', 1],
			[0, 0],
		],
	],
	[
		'a number without limits',
		numberField(limited()),
		[
			[-1e9, -1e9],
			['1e3', 1000],
			['+.5', 0.5],
			[' 7. ', 7],
		],
	],
	[
		'a whole number',
		integerField(limited(0)),
		[
			[0, 0],
			['7', 7],
		],
	],
	[
		'yes or no',
		booleanField({ ...base, default: true }),
		[
			[false, false],
			[true, true],
			['false', false],
			['', true],
		],
	],
	[
		'no or yes',
		booleanField({ ...base, default: false }),
		[
			['true', true],
			[undefined, false],
		],
	],
	[
		'an option',
		choice,
		[
			['s', 's'],
			['l', 'l'],
		],
	],
	[
		'JSON',
		jsonField(base),
		[
			['{ "a": [1] }', { a: [1] }],
			[{ b: 2 }, { b: 2 }],
			[0, 0],
			['null', null],
		],
	],
	[
		'a number or its default',
		orDefault(numberField({ ...limited(), default: 5 })),
		[
			[undefined, 5],
			['', 5],
			[0, 0],
		],
	],
	[
		'text or its default',
		orDefault(textField({ ...base, default: 'auto' })),
		[
			['', 'auto'],
			[undefined, 'auto'],
			[' ', ' '],
		],
	],
	['required text', required(textField(base)), [[' a ', ' a ']]],
	['a required number', required(numberField(limited())), [[0, 0]]],
])('the field for %s reads the values that it accepts', (_, field, pairs) => {
	for (const [given, read] of pairs) expect(parse(field, given)).toEqual(read);
});

test.each<[name: string, field: Field, values: unknown[], rule: string]>([
	['text', textField(base), [{}, []], 'must be text'],
	[
		'a number with two limits',
		numberField(limited(0, 1)),
		[-0.1, 1.1, 'x', true, {}],
		'must be a number from 0 to 1',
	],
	['a number without an upper limit', numberField(limited(1)), [0, '-1'], 'must be a number of 1 or more'],
	['a number without limits', numberField(limited()), ['x', [], 'NaN'], 'must be a number'],
	[
		'a number in another notation than the decimal one',
		numberField(limited()),
		['0x64', ' 0x64 ', '0b1', '0o7', '1e', '1_000', '.'],
		'must be a number',
	],
	[
		'a whole number',
		integerField(limited(1, 9)),
		[1.5, '2.5', 0, 10, '1x'],
		'must be a whole number from 1 to 9',
	],
	['yes or no', booleanField(base), ['no', 1, {}, ['true']], 'must be true or false'],
	['an option', choice, ['m'.repeat(61)], `must be one of Small, Large, not "${'m'.repeat(60)}…"`],
	['an option', choice, [['s']], 'must be one of Small, Large, not "["s"]"'],
	['an option', choice, [false], 'must be one of Small, Large, not "false"'],
	['required text', required(textField(base)), ['', ' ', undefined], 'must not be empty'],
	['a required number', required(numberField(limited()), 'must be given'), ['', null], 'must be given'],
])('the error for a wrong value of %s names the field and the rule', (_, field, values, rule) => {
	for (const value of values) expect(problemOf(field, value)).toBe(`"Size" (size) ${rule}`);
});

test('the error for invalid JSON says what is wrong with it', () => {
	expect(problemOf(jsonField(base), '{ "a": }')).toMatch(/^"Size" \(size\) must be valid JSON \(.+\)$/);
});

describe('a collection of fields', () => {
	const field = collectionField(
		{ displayName: 'Options', name: 'options', default: {} },
		{ size: numberField(limited(0, 1)) },
	);

	test('is one property with those of its fields in it', () => {
		expect(field.properties).toEqual([
			{ displayName: 'Options', name: 'options', default: {}, type: 'collection', options: [limited(0, 1)] },
		]);
	});

	test('has the values of its fields, which are undefined for what is no collection', () => {
		expect(parse(field, { size: '1', other: 2 })).toEqual({ size: 1 });
		for (const nothing of [undefined, null, 'x', {}]) {
			expect(parse(field, nothing)).toEqual({ size: undefined });
		}
	});

	test('has its name before that of a field in errors, as the collection of an option has', () => {
		expect(problemOf(field, { size: 2 })).toBe('"Size" (options.size) must be a number from 0 to 1');
		expect(option(numberField(limited())).path).toBe('options.size');
	});
});

describe('a list of entries', () => {
	const field = entriesField(
		{ displayName: 'Parts', name: 'parts', default: {} },
		{
			displayName: 'Part',
			name: 'part',
			fields: { size: numberField(limited(0, 1)) },
			nameOf: ({ id }, position, { path }) => `${path} ${position} ${String(id)}`,
		},
	);

	test('is one property with those of the fields of an entry in it', () => {
		expect(field.properties).toEqual([
			{
				displayName: 'Parts',
				name: 'parts',
				default: {},
				type: 'fixedCollection',
				options: [{ displayName: 'Part', name: 'part', values: [limited(0, 1)] }],
			},
		]);
	});

	test('has the values of its entries that are objects, and no entry for what is no list', () => {
		expect(parse(field, { part: [{ size: '1' }, 'x', null, {}] })).toEqual([
			{ size: 1 },
			{ size: undefined },
		]);
		for (const nothing of [undefined, 'x', {}, { part: {} }]) expect(parse(field, nothing)).toEqual([]);
	});

	test('has the name of the entry before that of a field in errors', () => {
		expect(problemOf(field, { part: [{}, { id: 'b', size: 2 }] })).toBe(
			'parts 2 b: "Size" (size) must be a number from 0 to 1',
		);
	});
});

test.each<[string, Field]>([
	['text', textField(base)],
	['a number', numberField(limited(0))],
	['yes or no', booleanField(base)],
	['JSON', jsonField(base)],
])('the field for %s refuses NaN and Infinity', (_, field) => {
	for (const value of [NaN, Infinity, -Infinity, ['a', NaN]]) {
		expect(problemOf(field, value)).toMatch(/^"Size" \(size\) must not be (NaN|-?Infinity)$/);
	}
	expect(problemOf(numberField(limited()), '1e999')).toBe('"Size" (size) must be a number');
});

test('only the field for a resource locator reads the value of an object that n8n marks by __rl', () => {
	const marked = (value: unknown) => ({ __rl: true, mode: 'uri', value });
	const locator = locatorField(textField({ ...base, type: 'resourceLocator' }));
	expect(parse(locator, marked('a'))).toBe('a');
	expect(problemOf(locator, marked(NaN))).toBe('"Size" (size) must not be NaN');
	expect(parse(jsonField(base), marked('a'))).toEqual(marked('a'));
});

test('Token Budget refuses an expression without a value, and accepts being empty or left out', () => {
	const { tokenBudget } = billingFields;
	for (const lost of [null, undefined]) {
		const place = placeOf(tokenBudget, '={{ $json.x }}');
		expect(() => tokenBudget.parse(lost, place)).toThrow('must have a value, but {{ $json.x }} has none');
	}
	expect(problemOf(tokenBudget, null)).toContain('must not be null');
	for (const value of [undefined, '']) expect(parse(tokenBudget, value)).toBeUndefined();
	const rule = '"Token Budget" (options.tokenBudget) must be a whole number of 1 or more';
	for (const wrong of [0, -1, 1.5, 'many']) expect(problemOf(tokenBudget, wrong)).toBe(rule);
});
