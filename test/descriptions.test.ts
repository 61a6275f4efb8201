import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers, type INodeProperties, type INodePropertyCollection } from 'n8n-workflow';
import { parse } from 'yaml';

import manifest from '../package.json';
import { credentialTypes, nodeTypes } from './runNode';

/**
 * What saved workflows depend on. A name, a value or a default that changes here breaks them; labels and help texts
 * are left out, because they may change.
 */
function stored(property: INodeProperties): object {
	const options = property.options?.map((option) => {
		if ('values' in option) return { name: option.name, values: option.values.map(stored) };
		return 'type' in option ? stored(option) : option.value;
	});
	return {
		name: property.name,
		type: property.type,
		default: property.default,
		...(options ? { options } : {}),
		...(property.displayOptions ? { displayOptions: property.displayOptions } : {}),
	};
}

test('every node has the inputs and outputs that saved wires lead to', () => {
	const plain = { inputs: ['main'], outputs: ['main'] };
	const ends = Object.values(nodeTypes).map(({ description: { name, inputs, outputs } }) => [
		name,
		{ inputs, outputs },
	]);
	expect(Object.fromEntries(ends)).toEqual({
		account: plain,
		accountTrigger: { inputs: [], outputs: ['main'] },
		batch: plain,
		chatModel: { inputs: [], outputs: ['ai_languageModel'] },
		decision: { inputs: ['main'], outputs: expect.stringMatching(/^={{ .* }}$/s) },
		message: { inputs: expect.anything(), outputs: ['main'] },
		voice: plain,
	});
});

test('the editor rounds numbers to as many decimals as make sense', () => {
	const numbers = Object.values(nodeTypes)
		.flatMap(({ description }) => withInner(description.properties))
		.filter(({ type }) => type === 'number');
	const byDecimals = Map.groupBy(numbers, ({ typeOptions }) => typeOptions?.numberPrecision);
	const names = [...byDecimals].map(([decimals, found]) => [
		decimals,
		[...new Set(found.map(({ name }) => name))].sort(),
	]);
	expect(Object.fromEntries(names)).toEqual({
		0: ['keepLastMessages', 'maxTokens', 'maxToolRounds', 'tokenBudget'],
		2: ['minConfidence', 'noBelow', 'spotCheck', 'targetAccuracy', 'temperature', 'topP', 'yesAtLeast'],
		6: ['lowBelow'],
		// Not rounded.
		undefined: ['concurrency', 'limit', 'maxRetries', 'maxWait', 'threshold', 'timeout', 'topK'],
	});
});

describe.each(Object.entries(nodeTypes))('%s', (name, { description }) => {
	test('stores the same names, values and defaults as ever', () => {
		expect(description.properties.map(stored)).toMatchSnapshot();
	});

	test('is what every node of the package is', () => {
		expect(description).toMatchObject({
			name: name.split('.')[1],
			version: 1,
			group: [description.polling ? 'trigger' : 'transform'],
			...(description.polling || description.inputs.length === 0 ? {} : { usableAsTool: true }),
			subtitle: expect.stringContaining('$parameter'),
			icon: { light: expect.stringMatching(/\.svg$/), dark: expect.stringMatching(/dark\.svg$/) },
			credentials: [{ name: 'inferenceServiceApi', required: true }],
		});
	});

	test('has no two visible parameters of one name', () => {
		const chooser = description.properties.find(({ name }) => ['operation', 'event'].includes(name));
		const choices = chooser
			? chooser.options!.map((option) => ({ [chooser.name]: 'value' in option ? option.value : '' }))
			: [{}];
		expect(choices).not.toEqual([]);
		for (const parameters of choices) {
			const node = {
				name: 'x',
				id: '1',
				type: name,
				typeVersion: 1,
				position: [0, 0] as [number, number],
				parameters,
			};
			const shown = description.properties.filter((property) =>
				NodeHelpers.displayParameter(parameters, property, node, description),
			);
			const names = shown.map((property) => property.name);
			expect(names).toEqual([...new Set(names)]);
		}
	});
});

test('every list of entries can be put in another order, and says what it adds', () => {
	const within = (property: INodeProperties): INodeProperties[] => [
		property,
		...(property.options ?? []).flatMap((option) => {
			if ('values' in option) return option.values.flatMap(within);
			return 'type' in option ? within(option) : [];
		}),
	];
	const lists = Object.values(nodeTypes)
		.flatMap(({ description }) => description.properties.flatMap(within))
		.filter(({ type, options }) => type === 'fixedCollection' && options!.length > 0);
	expect(new Set(lists.map(({ name }) => name))).toEqual(
		new Set(['questions', 'options', 'levels', 'messages', 'tools']),
	);
	for (const { typeOptions } of lists) {
		expect(typeOptions).toMatchObject({
			multipleValues: true,
			multipleValueButtonText: expect.stringMatching(/^Add /),
			sortable: true,
		});
	}
});

test('what decides which outputs or fields there are is fixed, so that the editor knows it', () => {
	for (const [type, names] of Object.entries({
		account: ['operation'],
		accountTrigger: ['event', 'balanceField'],
		batch: ['operation'],
		decision: ['operation', 'questionsSource', 'stateSource', 'routeQuestion', 'report'],
		message: ['operation', 'messagesSource'],
		voice: ['operation', 'audioSource'],
	})) {
		const { properties } = nodeTypes[`${manifest.name}.${type}`]!.description;
		for (const name of names) {
			const { noDataExpression } = properties.find((property) => property.name === name)!;
			expect({ type, name, noDataExpression }).toEqual({ type, name, noDataExpression: true });
		}
	}
});

test('in a route, what makes outputs is fixed, and says that it moves wires', () => {
	const lists = nodeTypes[`${manifest.name}.decision`]!.description.properties.filter(
		({ name }) => name === 'questions',
	);
	expect(lists).toHaveLength(2);
	for (const { options, displayOptions } of lists) {
		const isRoute = displayOptions!.show!.operation!.includes('route');
		const [{ values }] = options as [INodePropertyCollection];
		const field = (list: INodeProperties[], name: string) => list.find((each) => each.name === name)!;
		const entry = (name: string) => (field(values, name).options as [INodePropertyCollection])[0].values;
		const fixed = [
			field(values, 'id'),
			field(values, 'optionNames'),
			field(entry('options'), 'name'),
			field(entry('levels'), 'description'),
		];
		expect(fixed.map(({ noDataExpression }) => noDataExpression ?? false)).toEqual(fixed.map(() => isRoute));
		const warning = ['options', 'levels', 'optionNames'].map((name) =>
			/wires/.test(field(values, name).hint ?? ''),
		);
		expect(warning).toEqual([isRoute, isRoute, isRoute]);
	}
});

test('the credential stores the same names and defaults as ever', () => {
	expect(credentialTypes.inferenceServiceApi.properties.map(stored)).toMatchSnapshot();
});

describe('limits shown in fields are those of the contract', () => {
	const { schemas } = (
		parse(readFileSync(join(__dirname, '..', 'contract', 'openapi.yaml'), 'utf8')) as OpenApi
	).components;
	const propertiesOf = (type: string) => nodeTypes[`${manifest.name}.${type}`]!.description.properties;
	const text = (type: string) => JSON.stringify(propertiesOf(type));
	const option = (type: string, name: string) =>
		propertiesOf(type)
			.find((property) => property.name === 'options')!
			.options!.find((one): one is INodeProperties => 'type' in one && one.name === name)!;

	test('levels of a score', () => {
		const { minItems, maxItems } = schemas.ScoreQuestion!.properties!.criteria!;
		expect(text('decision')).toContain(`${minItems} to ${maxItems} levels of the scale`);
	});

	test('types of questions', () => {
		const types = Object.keys(schemas.Question!.discriminator!.mapping);
		expect(valuesOf(findAll(propertiesOf('decision'), 'type')[0])).toEqual(types.sort());
	});

	test('the model of decisions', () => {
		expect(option('decision', 'model').default).toBe(schemas.DecisionRequest!.properties!.model!.default);
	});

	const { properties: ofMessage } = schemas.MessageRequest!;
	const limited = Object.entries(ofMessage!).filter(
		([, { minimum, maximum }]) => minimum !== undefined && maximum !== undefined,
	);
	test.each(limited)('%s of a message', (name, { minimum, maximum }) => {
		const camelCased = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
		const { typeOptions, description } = option('message', camelCased);
		expect(typeOptions).toMatchObject({ minValue: minimum, maxValue: maximum });
		expect(description).toContain(`from ${minimum} to ${maximum}`);
	});

	test('the fewest tokens', () => {
		const { minimum } = ofMessage!.max_tokens!;
		const [maxTokens] = findAll(propertiesOf('message'), 'maxTokens');
		expect(minimum).toBeDefined();
		expect(maxTokens!.typeOptions).toMatchObject({ minValue: minimum });
	});

	test('the most messages', () => {
		const { maxItems } = ofMessage!.messages!;
		const { default: kept, description } = option('message', 'keepLastMessages');
		expect(kept).toBe(maxItems);
		expect(description).toContain(`up to ${maxItems}`);
	});

	test('roles of messages and of chats', () => {
		const roles = findAll(propertiesOf('message'), 'role').map(valuesOf);
		const [ofTurns, ofChats] = [schemas.MessageTurn!, schemas.ChatTurn!].map(({ properties }) =>
			properties!.role!.enum!.sort(),
		);
		expect(roles).toEqual([ofTurns, ofChats]);
	});

	test('choices of a tool', () => {
		const choices = Object.keys(schemas.ToolChoice!.discriminator!.mapping);
		expect(valuesOf(option('message', 'toolChoice'))).toEqual(choices.sort());
	});
});

/** All properties of a name, at any depth. */
function findAll(properties: INodeProperties[], name: string): INodeProperties[] {
	return withInner(properties).filter((property) => property.name === name);
}

/** All of them, and those within collections and lists. */
function withInner(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => [
		property,
		...(property.options ?? []).flatMap((option) =>
			'values' in option ? withInner(option.values) : 'type' in option ? withInner([option]) : [],
		),
	]);
}

function valuesOf(property: INodeProperties | undefined): unknown[] {
	return (property?.options ?? []).map((option) => 'value' in option && option.value).sort();
}

interface OpenApi {
	components: { schemas: Record<string, Schema> };
}

interface Schema {
	properties?: Record<string, Schema>;
	discriminator?: { mapping: Record<string, string> };
	minItems?: number;
	maxItems?: number;
	minimum?: number;
	maximum?: number;
	enum?: string[];
	default?: string;
}
