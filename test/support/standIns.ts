import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type IPairedItemData,
	type ISourceData,
} from 'n8n-workflow';

import { PassOn } from '../../engine/builtInNodes';

/** Stands in for a trigger, and outputs the items that the run is given. */
export class Trigger extends PassOn {
	async trigger() {
		return {};
	}
}

type Execute = (node: IExecuteFunctions, items: INodeExecutionData[]) => INodeExecutionData[][];

/** Makes a stand-in from a function that turns input items into outputs. */
function standIn(name: string, properties: INodeProperties[], execute: Execute, outputs = 1): PassOn {
	const node = new PassOn(name, outputs, properties);
	node.execute = async function (this: IExecuteFunctions) {
		return execute(this, this.getInputData());
	};
	return node;
}

const text = (name: string, byDefault = ''): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: byDefault,
});
const json = (name: string): INodeProperties => ({ displayName: name, name, type: 'json', default: {} });
const conditions: INodeProperties = {
	displayName: 'Conditions',
	name: 'conditions',
	type: 'filter',
	default: {},
	typeOptions: { filter: { version: 2 } },
};
const list = (name: string, entry: string, values: INodeProperties[]): INodeProperties => ({
	displayName: name,
	name,
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	options: [{ displayName: entry, name: entry, values }],
});

const holds = (node: IExecuteFunctions, parameter: string, item: number) =>
	node.getNodeParameter(parameter, item, false, { extractValue: true }) as boolean;

/** Stands in for If and Filter. The engine itself evaluates the conditions. */
const judge = (name: string) =>
	standIn(
		name,
		[conditions],
		(node, items) => {
			const passed = items.map((_, index) => holds(node, 'conditions', index));
			return [true, false].map((passes) => items.filter((_, index) => passed[index] === passes));
		},
		2,
	);

/** Stands in for Edit Fields, in both of its modes. */
const set = standIn(
	'set',
	[
		text('mode', 'manual'),
		json('jsonOutput'),
		{
			displayName: 'Include Other Input Fields',
			name: 'includeOtherFields',
			type: 'boolean',
			default: false,
		},
		list(
			'assignments',
			'assignments',
			['id', 'name', 'value', 'type'].map((name) => text(name)),
		),
	],
	(node, items) => [
		items.map(({ json: input }, item) => {
			const given = node.getNodeParameter('jsonOutput', item) as string | IDataObject;
			const fields = node.getNodeParameter('assignments.assignments', item, []) as IDataObject[];
			const isRaw = node.getNodeParameter('mode', item) === 'raw';
			const made = isRaw
				? typeof given === 'string'
					? (JSON.parse(given) as IDataObject)
					: given
				: Object.fromEntries(
						fields.map(({ name, value, type }) => [
							name,
							type === 'object' ? (JSON.parse(value as string) as IDataObject) : value,
						]),
					);
			if (node.getNodeParameter('includeOtherFields', item)) {
				return { json: { ...input, ...made }, pairedItem: { item } };
			}
			return { json: made as IDataObject, pairedItem: { item } };
		}),
	],
);

const splitOut = standIn('splitOut', [text('fieldToSplitOut')], (node, items) => {
	const rows = items[0]!.json[node.getNodeParameter('fieldToSplitOut', 0) as string] as IDataObject[];
	return [rows.map((row) => ({ json: row, pairedItem: { item: 0 } }))];
});

/** Stands in for Loop Over Items: the second output gets the next batch, the first gets all processed items at the end. */
const loop = standIn(
	'splitInBatches',
	[{ displayName: 'Batch Size', name: 'batchSize', type: 'number', default: 1 }],
	(node, items) => {
		const context = node.getContext('node') as {
			left?: INodeExecutionData[];
			done: INodeExecutionData[];
			source: ISourceData;
		};
		const from = (source: ISourceData) => (item: INodeExecutionData, index: number) => ({
			...item,
			pairedItem: { item: index, sourceOverwrite: source },
		});
		const isFirst = context.left === undefined;
		if (isFirst) Object.assign(context, { left: [...items], done: [], source: node.getInputSourceData() });
		else context.done.push(...items.map(from(node.getInputSourceData())));
		const size = node.getNodeParameter('batchSize', 0) as number;
		// Like n8n's own node, it takes an item's pair for its place in the input.
		const batch = context.left!.splice(0, size).map((item) => {
			const { item: place } = item.pairedItem as IPairedItemData;
			return isFirst ? item : from(context.source)(item, place);
		});
		return batch.length > 0 ? [[], batch] : [context.done, []];
	},
	2,
);

/** Stands in for Switch: an item goes to the output of the first rule that is true, else to the fallback output. */
const switchNode = standIn(
	'switch',
	[list('rules', 'values', [conditions])],
	(node, items) => {
		const { values } = node.getNodeParameter('rules', 0) as { values: unknown[] };
		const outputs: INodeExecutionData[][] = [...values, undefined].map(() => []);
		for (const [index, item] of items.entries()) {
			const rule = values.findIndex((_, at) => holds(node, `rules.values[${at}].conditions`, index));
			outputs.at(rule)!.push({ ...item, pairedItem: { item: index } });
		}
		return outputs;
	},
	4,
);

/** Stands in for Merge: it waits for both inputs, and outputs the items of the first. */
const merge = standIn('merge', [], (node) => [node.getInputData(0)]);
merge.description.inputs = [NodeConnectionTypes.Main, NodeConnectionTypes.Main];
merge.description.requiredInputs = 1;

const stopAndError = standIn('stopAndError', [text('errorMessage')], (node) => {
	throw new Error(node.getNodeParameter('errorMessage', 0) as string);
});

/** Stands in for Extract From File, for text files. Excel files are tested with n8n's own node, in the browser tests. */
const extractFromFile = new PassOn('extractFromFile', 1, [text('binaryPropertyName', 'data')]);
extractFromFile.execute = async function (this: IExecuteFunctions) {
	const file = await this.helpers.getBinaryDataBuffer(0, this.getNodeParameter('binaryPropertyName', 0));
	return [[{ json: { data: file.toString() }, pairedItem: { item: 0 } }]];
};

type CodeFunction = (this: IExecuteFunctions, ...variables: unknown[]) => Promise<INodeExecutionData[]>;
const AsyncFunction = (async () => {}).constructor as new (...source: string[]) => CodeFunction;

/** Stands in for Code, in its mode "Run Once for All Items", with the variables that the templates use. */
const code = new PassOn('code', 1, [text('jsCode')]);
code.execute = async function (this: IExecuteFunctions) {
	const run = new AsyncFunction('$input', '$', '$runIndex', this.getNodeParameter('jsCode', 0) as string);
	const { $input, $, $runIndex } = this.getWorkflowDataProxy(0);
	return [await run.call(this, $input, $, $runIndex)];
};

/** People enter these replies on the pages of a form, by the names of the pages, one after the other. */
export const form = (replies: Record<string, IDataObject[]> = {}) =>
	standIn('form', [], (node, items) => {
		const entered = replies[node.getNode().name]?.shift();
		if (!entered) return [items];
		return [[{ json: { ...entered, submittedAt: new Date().toISOString() }, pairedItem: { item: 0 } }]];
	});

interface Filters {
	conditions?: Array<{ keyName?: string; condition?: string; keyValue?: unknown }>;
}

interface Columns {
	mappingMode: string;
	value: IDataObject | null;
}

/** Stands in for Data Table, with one table whose rows are kept between runs. */
export const dataTable = (rows: IDataObject[] = []) =>
	standIn(
		'dataTable',
		[
			text('operation', 'insert'),
			json('columns'),
			text('matchType', 'anyCondition'),
			json('filters'),
			text('limit'),
		],
		(node, items) => {
			const asItem = (row: IDataObject) => ({ json: { ...row }, pairedItem: { item: 0 } });
			const columnsOf = (item: number) => node.getNodeParameter('columns', item) as Columns;
			const matching = (item: number) => {
				const filters = node.getNodeParameter('filters', item) as Filters;
				const { conditions: all = [] } = filters;
				const matchesAll = node.getNodeParameter('matchType', item) === 'allConditions';
				return rows.filter((row) => {
					const met = all.filter(({ keyName = 'id', condition = 'eq', keyValue }) => {
						const isEmpty = (row[keyName] ?? null) === null;
						if (condition === 'isEmpty') return isEmpty;
						return condition === 'isNotEmpty' ? !isEmpty : row[keyName] === keyValue;
					});
					return met.length === all.length || (!matchesAll && met.length > 0);
				});
			};
			switch (node.getNodeParameter('operation', 0)) {
				case 'create':
					return [[asItem({ id: 'table' })]];
				case 'insert':
					return [
						items.map((item, index) => {
							const { mappingMode, value } = columnsOf(index);
							const row = {
								id: rows.length + 1,
								...(mappingMode === 'autoMapInputData' ? item.json : value),
							};
							rows.push(row);
							return asItem(row);
						}),
					];
				case 'upsert':
					return [
						items.map((_, index) => {
							const found = matching(index);
							if (found.length === 0) found.push(rows[rows.push({ id: rows.length + 1 }) - 1]!);
							for (const row of found) Object.assign(row, columnsOf(index).value);
							return asItem(found[0]!);
						}),
					];
				case 'rowNotExists':
					return [items.filter((_, index) => matching(index).length === 0)];
				case 'deleteRows': {
					const deleted = matching(0);
					for (const row of deleted) rows.splice(rows.indexOf(row), 1);
					return [deleted.map(asItem)];
				}
				case 'update':
					for (const row of matching(0)) Object.assign(row, columnsOf(0).value);
			}
			const limit = Number(node.getNodeParameter('limit', 0) || Infinity);
			return [matching(0).slice(0, limit).map(asItem)];
		},
	);

/** Stands in for Google Sheets, with one sheet whose rows are read with their numbers, and updated by their numbers. */
export const googleSheet = (rows: IDataObject[] = []) =>
	standIn('googleSheets', [text('operation', 'read'), json('columns')], (node, items) => {
		if (node.getNodeParameter('operation', 0) === 'read') {
			const read = rows.map((row, index) => ({ json: { row_number: index + 2, ...row } }));
			return [read.map((row) => ({ ...row, pairedItem: { item: 0 } }))];
		}
		for (const index of items.keys()) {
			const { row_number, ...cells } = (node.getNodeParameter('columns', index) as Columns).value!;
			Object.assign(rows[Number(row_number) - 2]!, cells);
		}
		return [items];
	});

const passOn = ['stickyNote', 'emailSend', 'html', 'evaluation', 'convertToFile', 'respondToWebhook'].map(
	(name) => new PassOn(name),
);
const triggers = [
	'scheduleTrigger',
	'formTrigger',
	'evaluationTrigger',
	'webhook',
	'googleSheetsTrigger',
].map((name) => new Trigger(name));
const nodes = [
	...passOn,
	...triggers,
	...[judge('if'), judge('filter'), set, splitOut, loop, switchNode, merge, stopAndError],
	...[extractFromFile, code, form(), dataTable(), googleSheet()],
];

/** Holds stand-ins for the nodes of n8n that templates use, by their types. */
export const standIns: Record<string, INodeType> = {
	...Object.fromEntries(nodes.map((node) => [`n8n-nodes-base.${node.description.name}`, node])),
};
