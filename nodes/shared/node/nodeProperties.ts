import type { INodeProperties } from 'n8n-workflow';

import type { Field } from '../fields/Field';
import type { Operation } from './Operation';
import type { ServiceNode } from './ServiceNode';
import { simplify } from '../fields/sharedFields';
import { toolDescriptionFields } from './toolDescriptionFields';

/**
 * Returns the parameters of a node: the operation, each operation's fields, "Simplify", and the collection "Options". It writes
 * the operations of each field into `displayOptions`, so that fields need not name their operations.
 */
export function nodeProperties(node: ServiceNode): INodeProperties[] {
	const { operations } = node;
	const perItem = operations.filter(({ kind }) => kind === 'perItem');
	const byProperty = new Map(operations.flatMap(fieldsOf).map((field) => [field.properties[0], field]));
	byProperty.delete(simplify.properties[0]);
	const fields = [...byProperty.values()];
	const describesTool = fields.some(({ path }) => path === 'toolDescription');
	const propertiesFor = (field: Field, owners: Operation[]) =>
		field.properties.map((property) => limitTo(owners, operations, property, isOption(field)));
	const propertiesOf = (field: Field) =>
		propertiesFor(
			field,
			operations.filter((operation) => hasField(operation, field)),
		);
	const options = [
		...fields.filter(isOption).flatMap(propertiesOf),
		...Object.values(node.options).flatMap((field) => propertiesFor(field, perItem)),
	];
	return [
		...operationProperties(node),
		...(describesTool ? [] : toolDescription(operations)),
		...fields.filter((field) => !isOption(field)).flatMap(propertiesOf),
		...propertiesOf(simplify),
		optionsCollection(options),
	];
}

/** Returns the parameters of a node without operations: its fields, and the collection "Options". */
export function plainProperties(fields: Field[]): INodeProperties[] {
	const propertiesOf = (some: Field[]) => some.flatMap(({ properties }) => properties);
	return [
		...propertiesOf(fields.filter((field) => !isOption(field))),
		optionsCollection(propertiesOf(fields.filter(isOption))),
	];
}

function optionsCollection(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: options.sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
	};
}

function operationProperties({ operations, defaultOperation }: ServiceNode): INodeProperties[] {
	const { value: defaultValue } = defaultOperation;
	const property: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: operations.map(({ value, name, action, description }) => ({ value, name, action, description })),
		default: defaultValue,
	};
	const offeredToTools = operations.filter((operation) => !operation.notAsTool);
	if (offeredToTools.length === operations.length) return [property];
	return [
		{ ...property, displayOptions: { hide: { '@tool': [true] } } },
		{
			...property,
			options: property.options?.filter((_, index) => !operations[index]?.notAsTool),
			displayOptions: { show: { '@tool': [true] } },
		},
	];
}

/** By default, n8n gives an agent the description of the whole node, which is too much for a tool with one operation. */
function toolDescription(operations: Operation[]): INodeProperties[] {
	const texts = operations.map(({ value, description, agentDescription = description }) => [
		value,
		agentDescription,
	]);
	const byOperation = JSON.stringify(Object.fromEntries(texts));
	return toolDescriptionFields(
		{ name: 'From the Operation', value: 'operation', description: 'Describes what the operation does' },
		{
			text: `={{ (${byOperation})[$parameter.operation] }}`,
			placeholder: 'e.g. Use this tool when a customer asks',
		},
	).flatMap(({ properties }) => properties);
}

/** Compares properties, because two operations may have the same property in different fields, such as a required one. */
function hasField(operation: Operation, { properties: [property] }: Field): boolean {
	return fieldsOf(operation).some(({ properties: [other] }) => other === property);
}

function fieldsOf({ unread = [], fields }: Operation): Field[] {
	return [...unread, ...Object.values(fields)];
}

function isOption({ path }: Field): boolean {
	return path.startsWith('options.');
}

/** Shows a property only where one of these operations, its owners, is chosen. */
function limitTo(
	owners: Operation[],
	operations: Operation[],
	property: INodeProperties,
	isInOptions: boolean,
): INodeProperties {
	const others = operations.filter((operation) => !owners.includes(operation));
	if (others.length === 0) return property;
	if (isInOptions) return withCondition(property, 'show', '/operation', owners);
	const isSharedList = property.type === 'fixedCollection' && owners.length > 1;
	return isSharedList
		? withCondition(property, 'hide', '/operation', others)
		: withCondition(property, 'show', 'operation', owners);
}

/**
 * Adds a condition on the operation. When a person changes a parameter, the editor clears every list whose conditions name it,
 * even if the list remains on the screen. With a slash before the name, it does not. But n8n's AI builder takes a list that is
 * shown with a slash for forbidden while the operation is left out, and one that is hidden with it for allowed.
 */
function withCondition(
	property: INodeProperties,
	rule: 'show' | 'hide',
	path: 'operation' | '/operation',
	operations: Operation[],
): INodeProperties {
	const { displayOptions } = property;
	const values = operations.map(({ value }) => value);
	return {
		...property,
		displayOptions: { ...displayOptions, [rule]: { ...displayOptions?.[rule], [path]: values } },
	};
}

/** Returns an expression that shows the label of the chosen operation below the node's name on the canvas. */
export function operationSubtitle({ operations }: ServiceNode): string {
	const labels = Object.fromEntries(operations.map(({ value, name }) => [value, name]));
	return `={{ (${JSON.stringify(labels)})[$parameter["operation"]] }}`;
}
