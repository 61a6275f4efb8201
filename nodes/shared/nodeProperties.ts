import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { Operation } from './Operation';
import type { ServiceNode } from './ServiceNode';

/**
 * The parameters of a node: the operation, each operation's fields, "Simplify", and the collection "Options".
 * What an operation shows is written into `displayOptions` here, so that no field names its operations.
 */
export function nodeProperties(node: ServiceNode): INodeProperties[] {
	const { operations } = node;
	const simplified = operations.filter((operation) => !operation.alwaysSimple);
	return [
		...operationProperties(node),
		...shownPerOperation(operations, (operation) => operation.fields, 'operation'),
		...(simplified.length === 0 ? [] : [showFor(SIMPLIFY, simplified, operations, 'operation')]),
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				...shownPerOperation(operations, (operation) => operation.optionFields, '/operation'),
				...sharedOptions(node),
			].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
		},
	];
}

function operationProperties({ operations, defaultOperation }: ServiceNode): INodeProperties[] {
	const property: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: operations.map(({ value, name, action, description }) => ({ value, name, action, description })),
		default: defaultOperation,
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

const SIMPLIFY: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const INCLUDE_OTHER_FIELDS: INodeProperties = {
	displayName: 'Include Other Input Fields',
	name: 'includeOtherFields',
	type: 'boolean',
	default: false,
	description:
		"Whether to pass the fields and files of the input item on with the result. On a clash the result's own fields win.",
	// Hidden, not shown: an operation that has no "Simplify" has this option all the same.
	displayOptions: { hide: { '/simplify': [false] } },
};

function sharedOptions({ includeOtherFields, timeout, concurrency }: ServiceNode): INodeProperties[] {
	return [
		{
			displayName: 'Concurrency',
			name: 'concurrency',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 64 },
			default: concurrency,
			description: 'How many requests may be in flight at once, from 1 to 64',
		},
		{ ...INCLUDE_OTHER_FIELDS, default: includeOtherFields },
		{
			displayName: 'Max Retries',
			name: 'maxRetries',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 10 },
			default: 3,
			description:
				'How often a request that failed for a passing reason is repeated. 0 switches off every repetition, after a rate limit too.',
		},
		{
			displayName: 'Max Wait',
			name: 'maxWait',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 300,
			description: 'How many seconds one item may wait for a rate limit, all its waits together',
		},
		{
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 300_000 },
			default: timeout,
			description:
				'Milliseconds that one attempt may wait for the response, and between two parts of it, from 1 to 300000',
		},
	];
}

/** Every field once, in the order in which the operations first name it. */
function shownPerOperation(
	operations: Operation[],
	fieldsOf: (operation: Operation) => INodeProperties[],
	path: 'operation' | '/operation',
): INodeProperties[] {
	const fields = [...new Set(operations.flatMap(fieldsOf))];
	return fields.map((field) =>
		showFor(
			field,
			operations.filter((operation) => fieldsOf(operation).includes(field)),
			operations,
			path,
		),
	);
}

function showFor(
	field: INodeProperties,
	shown: Operation[],
	all: Operation[],
	path: 'operation' | '/operation',
): INodeProperties {
	if (shown.length === all.length) return field;
	const show: IDisplayOptions['show'] = {
		...field.displayOptions?.show,
		[path]: shown.map((operation) => operation.value),
	};
	return { ...field, displayOptions: { ...field.displayOptions, show } };
}
