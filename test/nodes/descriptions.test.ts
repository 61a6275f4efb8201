import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';

import { ESLint } from 'eslint';
import {
	NodeHelpers,
	Workflow,
	type INode,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeType,
} from 'n8n-workflow';
import { parse } from 'yaml';

import { nodeTypesOf } from '../../engine/builtInNodes';
import { fixedTextHints, typedEscapeHint } from '../../nodes/shared/fields/fixedTextHint';
import manifest from '../../package.json';
import { credentialTypes, nodeTypes, withInner } from '../support/runNode';

const ROOT = path.join(__dirname, '../..');

const nodes = Object.values(nodeTypes).map(({ description }) => description);

function textOf(file: string): string {
	return readFileSync(path.join(ROOT, file), 'utf8');
}

/**
 * Returns the names, values and defaults of a parameter, because a change of them breaks saved workflows. Labels and
 * help texts are left out, because they may change.
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
		...(property.requiresDataPath ? { requiresDataPath: property.requiresDataPath } : {}),
		...(property.modes
			? { modes: property.modes.map(({ typeOptions, ...mode }) => [mode.name, typeOptions]) }
			: {}),
		...(property.displayOptions ? { displayOptions: property.displayOptions } : {}),
	};
}

const n8nNodesBase = jest.requireActual<
	ESLint.Plugin & { configs: { nodes: { rules: Record<string, 'error'> } } }
>('eslint-plugin-n8n-nodes-base');

test.each(Object.entries(nodeTypes))(
	"n8n's linter accepts the parameters of %s as they reach the editor",
	async (_, { description }) => {
		const rules = {
			...n8nNodesBase.configs.nodes.rules,
			// Two rules about order are off, because the fields of a question are in the order in which a person fills them in.
			'n8n-nodes-base/node-param-display-name-not-first-position': 'off',
			'n8n-nodes-base/node-param-fixed-collection-type-unsorted-items': 'off',
			// This rule is off, because it does not recognise a default that is an expression.
			'n8n-nodes-base/node-param-default-missing': 'off',
			// Two rules about lists from the service are off, because Route by Question accepts no expression.
			'n8n-nodes-base/node-param-display-name-wrong-for-dynamic-options': 'off',
			'n8n-nodes-base/node-param-description-wrong-for-dynamic-options': 'off',
		} as const;
		const linter = new ESLint({
			overrideConfigFile: true,
			overrideConfig: [{ files: ['**/*.js'], plugins: { 'n8n-nodes-base': n8nNodesBase }, rules }],
		});
		const shown = inspect(description.properties, {
			depth: null,
			maxArrayLength: null,
			maxStringLength: null,
		});
		const [result] = await linter.lintText(`export const properties = ${shown};`, {
			filePath: 'nodes/Any.node.js',
		});
		expect(result!.messages).toEqual([]);
	},
);

/** Returns the subtitle that the canvas shows below a node of this type and operation. */
function subtitleOf(type: INodeType, operation: string): unknown {
	const parameters = { operation };
	const node: INode = { id: '1', name: 'N', type: 'n', typeVersion: 1, position: [0, 0], parameters };
	const found = nodeTypesOf({ n: type });
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes: found });
	return workflow.expression.getSimpleParameterValue(node, type.description.subtitle, 'internal', {});
}

test('the canvas shows the label of the operation below each node except Decision', () => {
	for (const type of Object.values(nodeTypes)) {
		const { name, properties } = type.description;
		// Decision is left out, because it shows its questions below the node.
		if (name === 'decision') continue;
		const choices = (properties.find((property) => property.name === 'operation')?.options ??
			[]) as INodePropertyOptions[];
		const shown = choices.map(({ value }) => subtitleOf(type, String(value)));
		expect(shown).toEqual(choices.map((choice) => choice.name));
	}
});

test('no two nodes have the same icon', () => {
	const icons = globSync('{nodes,credentials}/**/*.svg', { cwd: ROOT }).map(textOf);
	expect(new Set(icons).size).toBe(icons.length);
});

test('the inputs and outputs of each node are those that saved workflows connect', () => {
	const plain = { inputs: ['main'], outputs: ['main'] };
	const ends = nodes.map(({ name, inputs, outputs, outputNames }) => [
		name,
		{ inputs, outputs, outputNames },
	]);
	expect(Object.fromEntries(ends)).toEqual({
		account: plain,
		accountTrigger: { inputs: [], outputs: ['main'] },
		batch: plain,
		chatModel: { inputs: [], outputs: ['ai_languageModel'], outputNames: ['Model'] },
		decision: { inputs: ['main'], outputs: expect.stringMatching(/^={{ .* }}$/s) },
		message: { inputs: expect.anything(), outputs: "={{ ['main'] }}" },
		voice: plain,
	});
});

describe.each(Object.entries(nodeTypes))('%s', (name, { description }) => {
	test('is named in the README and in the bug form, and has a test suite', () => {
		expect(textOf('README.md')).toContain(description.displayName);
		// The suites of Decision are a whole folder.
		const suites = globSync(['test/nodes/*.test.ts', 'test/*/'], { cwd: ROOT }).map((file) =>
			path.basename(file, '.test.ts').toLowerCase(),
		);
		expect(suites).toContain(description.name.toLowerCase());
		const shortName = description.displayName.replace('Inference ', '');
		expect(textOf('.github/ISSUE_TEMPLATE/bug.yml')).toContain(shortName);
	});

	test('has labels for itself, its parameters and their options', () => {
		expect(description.displayName).toMatch(/^Inference [A-Z]/);
		expect(description.defaults.name).toBe(description.displayName);
		expect(description.description).toMatch(/^[A-Z].{10,}/);
		const labels = withInner(description.properties).flatMap(({ displayName, options = [] }) => [
			displayName,
			...options.map((option) => ('displayName' in option ? option.displayName : option.name)),
		]);
		expect(labels.filter((label) => label.trim() === '')).toEqual([]);
	});

	test('stores the same names, values and defaults as before', () => {
		expect(description.properties.map(stored)).toMatchSnapshot();
	});

	test('has name, version, subtitle, icons and credential like every node of the package', () => {
		expect(description).toMatchObject({
			name: name.split('.')[1],
			version: 1,
			group: [description.polling ? 'trigger' : 'transform'],
			...(description.polling || description.inputs.length === 0 ? {} : { usableAsTool: true }),
			subtitle: expect.stringContaining('$parameter'),
			icon: { light: expect.stringMatching(/\.svg$/), dark: expect.stringMatching(/dark\.svg$/) },
			credentials: [{ name: 'inferenceServiceApi', required: true, testedBy: 'testCredential' }],
		});
	});

	test("tells n8n's AI builder in a sentence what it is good for", () => {
		expect(description.builderHint!.searchHint).toMatch(/^[A-Z].{60,}\.$/);
	});

	test("refers n8n's AI builder only to nodes that exist, and says why", () => {
		for (const { nodeType, relationHint } of description.builderHint!.relatedNodes ?? []) {
			// n8n adds "Tool" to the type of a node that is used as a tool.
			const exists =
				nodeType.replace(/Tool$/, '') in nodeTypes ||
				nodeType.includes('n8n-nodes-base') ||
				nodeType.startsWith('@n8n/');
			expect({ nodeType, exists, relationHint }).toEqual({
				nodeType,
				exists: true,
				relationHint: expect.stringMatching(/^[A-Z].{15,}/),
			});
		}
	});

	test("tells n8n's AI builder about its operations what fits them", () => {
		const contents = description.builderHint!.extraTypeDefContent?.map(({ content }) => content) ?? [];
		const names = description.properties.map(({ name }) => name);
		for (const content of contents) expect(names.filter((name) => content.includes(name))).not.toEqual([]);
	});

	test('keeps each list that several operations have when a person changes the operation in the editor', () => {
		// The editor clears a list that is still shown, if its conditions name the parameter that was changed.
		const lists = description.properties.filter(({ type }) => type === 'fixedCollection');
		const cleared = lists.filter(({ displayOptions: { show = {}, hide = {} } = {} }) =>
			'operation' in hide ? true : (show.operation?.length ?? 0) > 1,
		);
		expect(cleared.map(({ name }) => name)).toEqual([]);
	});

	test('requires no parameter that only some operations show', () => {
		// n8n's AI builder asks for a required parameter in every operation, even where it is hidden.
		const partly = description.properties.filter(
			({ required, default: given, displayOptions }) => required && given === '' && displayOptions,
		);
		expect(partly.map(({ name }) => name)).toEqual([]);
	});

	test('has no HTML in its help texts', () => {
		const texts = withInner(description.properties).flatMap(({ description, hint }) => [description, hint]);
		expect(texts.filter((text) => /<\/?[a-z]|&[a-z]+;/.test(text ?? ''))).toEqual([]);
	});

	test('never shows two parameters of the same name at once', () => {
		const chooser = description.properties.find(({ name }) => ['operation', 'event'].includes(name));
		const choices = chooser
			? chooser.options!.map((option) => ({ [chooser.name]: 'value' in option ? option.value : '' }))
			: [{}];
		expect(choices).not.toEqual([]);
		for (const parameters of choices) {
			const node: INode = { id: '1', name: 'N', type: name, typeVersion: 1, position: [0, 0], parameters };
			const shown = description.properties.filter((property) =>
				NodeHelpers.displayParameter(parameters, property, node, description),
			);
			const names = shown.map((property) => property.name);
			expect(names).toEqual([...new Set(names)]);
		}
	});
});

test('a person can sort every list, and its button says what it adds', () => {
	const lists = nodes
		.flatMap(({ properties }) => withInner(properties))
		.filter(({ type, options }) => type === 'fixedCollection' && options!.length > 0);
	expect(lists.length).toBeGreaterThan(4);
	for (const { typeOptions } of lists) {
		expect(typeOptions).toMatchObject({
			multipleValues: true,
			multipleValueButtonText: expect.stringMatching(/^Add /),
			sortable: true,
		});
	}
});

test('the editor shows each question by its ID, an option by its name and a level by its description', () => {
	const { properties } = nodeTypes[`${manifest.name}.decision`]!.description;
	const titles = withInner(properties).map(({ typeOptions }) => typeOptions?.fixedCollection?.itemTitle);
	for (const field of ['id', 'name', 'description']) {
		expect(titles).toContain(`={{ $collection.item.value.${field} }}`);
	}
});

test('a parameter that decides which outputs or fields exist takes no expression', () => {
	const isFixed = ({ noDataExpression }: INodeProperties) => noDataExpression === true;
	const open = nodes.flatMap(({ name, properties }) =>
		properties
			.filter((property) => property.type === 'options' && !isFixed(property))
			.map((property) => `${name}.${property.name}`),
	);
	expect(open).toEqual([]);
	const { properties } = nodeTypes[`${manifest.name}.decision`]!.description;
	expect(properties.filter(({ name }) => name === 'routeQuestion').map(isFixed)).toEqual([true]);
});

test('parameters with the same name differ in type, default or choices', () => {
	// n8n's AI builder uses only the first of several parameters that are equal in all of these.
	for (const { name: node, properties } of nodes) {
		const options = properties.find(({ name }) => name === 'options')!.options as INodeProperties[];
		const forms = [...properties, ...options]
			.filter(({ type }) => type !== 'hidden')
			.map(({ name, type, default: given, options }) =>
				JSON.stringify([node, name, type, given, options?.map((option) => option.name)]),
			);
		expect(forms).toEqual([...new Set(forms)]);
	}
});

// n8n's AI builder takes a node for a trigger if "main" is in its list of outputs and not in its list of inputs.
test("n8n's AI builder takes only Account Trigger for a trigger", () => {
	const isTaken = (ends: unknown) => Array.isArray(ends) && ends.includes('main');
	const triggers = nodes.filter(({ inputs, outputs }) => isTaken(outputs) && !isTaken(inputs));
	expect(triggers.map(({ name }) => name)).toEqual(['accountTrigger']);
});

test('the credential stores the same names and defaults as before', () => {
	expect(credentialTypes.inferenceServiceApi.properties.map(stored)).toMatchSnapshot();
});

test("n8n's link to the help on the credential leads to its section in the README", () => {
	const { displayName, documentationUrl } = credentialTypes.inferenceServiceApi;
	expect(displayName).toBe('Inference Service API');
	expect(documentationUrl).toBe(`${manifest.homepage}#the-credential`);
	expect(textOf('README.md')).toContain('\n## The credential\n');
});

describe('the editor', () => {
	const { schemas } = (parse(textOf('contract/openapi.yaml')) as OpenApi).components;
	const propertiesOf = (type: string) => nodeTypes[`${manifest.name}.${type}`]!.description.properties;
	const text = (type: string) => JSON.stringify(propertiesOf(type));
	const option = (type: string, name: string) =>
		propertiesOf(type)
			.find((property) => property.name === 'options')!
			.options!.find((one): one is INodeProperties => 'type' in one && one.name === name)!;

	test("names the contract's number of levels of a score", () => {
		const { minItems, maxItems } = schemas.ScoreQuestion!.properties!.criteria!;
		expect(text('decision')).toContain(`${minItems} to ${maxItems} levels of the scale`);
	});

	test('neither limits nor rounds shares, because it would store 0 for 70, and 1 for 0.995', () => {
		for (const name of ['minConfidence', 'noBelow', 'yesAtLeast', 'targetAccuracy']) {
			const [share] = findAll(propertiesOf('decision'), name);
			expect(share!.typeOptions).toBeUndefined();
		}
	});

	test("offers the contract's types of a question, and tags, which it asks as yes-or-no questions", () => {
		const types = [...Object.keys(schemas.Question!.discriminator!.mapping), 'tags'];
		expect(valuesOf(findAll(propertiesOf('decision'), 'type')[0])).toEqual(types.sort());
	});

	test("has the contract's default model of decisions", () => {
		const value = schemas.DecisionRequest!.properties!.model!.default;
		expect(option('decision', 'model').default).toEqual({ mode: 'id', value });
	});

	const { properties: ofMessage } = schemas.MessageRequest!;
	const limited = Object.entries(ofMessage!).filter(
		([name, { minimum }]) => minimum !== undefined && name !== 'max_tokens',
	);
	test.each(limited)("has the contract's limits of %s", (name, { minimum, maximum }) => {
		const camelCased = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
		const { typeOptions, description } = option('message', camelCased);
		expect([typeOptions?.minValue, typeOptions?.maxValue]).toEqual([minimum, maximum]);
		expect(description).toContain(maximum === undefined ? `${minimum}` : `from ${minimum} to ${maximum}`);
	});

	test("has the contract's minimum of Max Tokens", () => {
		const { minimum } = ofMessage!.max_tokens!;
		const [maxTokens] = findAll(propertiesOf('message'), 'maxTokens');
		expect(minimum).toBeDefined();
		expect(maxTokens!.typeOptions).toMatchObject({ minValue: minimum });
	});

	test("has the contract's highest number of messages as the default of Keep Last Messages", () => {
		const { maxItems } = ofMessage!.messages!;
		const { default: kept, description } = option('message', 'keepLastMessages');
		expect(kept).toBe(maxItems);
		expect(description).toContain(`up to ${maxItems}`);
	});

	test("offers the contract's roles of a message and of a chat", () => {
		const [role, ...others] = findAll(propertiesOf('message'), 'role');
		const [ofTurns, ofChats] = [schemas.MessageTurn!, schemas.ChatTurn!].map(({ properties }) =>
			properties!.role!.enum!.sort(),
		);
		expect(others).toEqual([]);
		expect(valuesOf(role)).toEqual(ofChats);
		const inBoth = (role!.options as INodePropertyOptions[]).filter(({ displayOptions }) => !displayOptions);
		expect(inBoth.map(({ value }) => value).sort()).toEqual(ofTurns);
	});

	test("offers the contract's choices of Tool Choice", () => {
		const choices = Object.keys(schemas.ToolChoice!.discriminator!.mapping);
		expect(valuesOf(option('message', 'toolChoice'))).toEqual(choices.sort());
	});
});

test.each(['batch', 'chatModel', 'decision', 'message', 'voice'])(
	'%s has texts that people type, and warns of an expression in a field that is set to Fixed',
	(type) => {
		const { hints } = nodeTypes[`${manifest.name}.${type}`]!.description;
		expect(hints).toEqual(expect.arrayContaining(fixedTextHints));
	},
);

test.each(['message', 'chatModel'])('%s warns before a run of a typed line break', (type) => {
	expect(nodeTypes[`${manifest.name}.${type}`]!.description.hints).toContain(typedEscapeHint);
});

function findAll(properties: INodeProperties[], name: string): INodeProperties[] {
	return withInner(properties).filter((property) => property.name === name);
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
