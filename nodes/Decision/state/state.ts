import { nodeNameToToolName, type IDataObject } from 'n8n-workflow';

import { parseJson } from '../../../client/parseJson';
import { FILES_IN_JSON, isBinaryValue } from '../../shared/run/binaryValue';
import {
	field,
	inTool,
	named,
	optionsField,
	refine,
	required,
	textField,
	toText,
	type Place,
} from '../../shared/fields/Field';
import { findPath, pickPaths, splitNames, valueAt } from '../../shared/fields/fieldPath';
import { increase } from '../../../client/increase';
import type { ItemContext } from '../../shared/run/ItemContext';
import { ParameterError } from '../../shared/fields/ParameterError';

// An agent's item holds the whole conversation: a tool judges the text that the agent gives it.
export const source = inTool(
	refine(
		optionsField({
			displayName: 'Input',
			name: 'stateSource',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Whole Input Item', value: 'item', description: 'The fields of the item, by their names' },
				{ name: 'Text', value: 'text', description: 'Text that you type or build with expressions' },
				{ name: 'JSON', value: 'json', description: 'An object, a list or text, as JSON' },
			],
			default: 'item',
			description: 'What the questions are about',
			hint: 'Input tokens are billed: send only what the questions are about',
		}),
		(value, { subject, stored }) => {
			// Without a source, n8n hides the fields to send, and then everything would be sent.
			if (value === undefined && stored !== undefined) throw new ParameterError(subject, 'must not be empty');
			return value;
		},
	),
	{
		default: 'text',
		hint: "The agent fills in 'Text'. 'Whole Input Item' works only with an agent: an MCP client has no input item.",
	},
);

const fieldNames = field(
	{
		displayName: 'Fields to Send',
		name: 'stateFields',
		type: 'string',
		default: '',
		placeholder: 'e.g. subject, message',
		description:
			'Names of the fields to send, separated by commas, or dragged from the input. Leave empty to send all.',
		requiresDataPath: 'multiple',
		displayOptions: { show: { stateSource: ['item'] } },
	},
	(value, place): string[] =>
		Array.isArray(value)
			? value.map((name) => toText(name, place).trim()).filter((name) => name !== '')
			: splitNames(toText(value, place)),
);

const text = inTool(
	required(
		textField({
			displayName: 'Text',
			name: 'stateText',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			placeholder: 'e.g. My card was charged twice!',
			description: 'The text to judge',
			displayOptions: { show: { stateSource: ['text'] } },
		}),
	),
	{ default: "={{ $fromAI('text', 'The text to judge', 'string') }}" },
);

const json = field(
	{
		displayName: 'JSON',
		name: 'stateJson',
		type: 'json',
		default: '',
		placeholder: 'e.g. { "subject": "Refund", "message": "I was charged twice" }',
		description:
			'An object, a list, or text in quotes. Questions may refer to the fields of an object by name.',
		// The editor of JSON parameters shows no placeholder.
		hint: 'For example: { "subject": "Refund", "message": "I was charged twice" }',
		displayOptions: { show: { stateSource: ['json'] } },
	},
	(value, place): unknown => {
		const { subject } = place;
		const state = typeof value === 'string' ? parse(value, place) : value;
		const isAllowed = typeof state === 'string' || (typeof state === 'object' && state !== null);
		if (!isAllowed) throw new ParameterError(subject, 'must be an object, a list or text');
		const isEmpty = typeof state === 'string' ? state.trim() === '' : Object.keys(state).length === 0;
		if (isEmpty) throw new ParameterError(subject, 'must not be empty');
		return state;
	},
);

/** The input that all questions of a request are about. */
export const stateFields = [source, fieldNames, text, json];

/**
 * The `state` of a decision request.
 * @param missingFields counts the items in which a field is looked for and not found, by its name
 * @throws ParameterError when there is nothing to judge
 */
export function readState(item: ItemContext, missingFields: Map<string, number>): unknown {
	switch (item.read(source)) {
		case 'text':
			return item.read(text);
		case 'json':
			return item.read(json);
		case 'item':
		case undefined:
			return readItem(item, missingFields);
	}
}

function readItem(item: ItemContext, missingFields: Map<string, number>): unknown {
	const names = item.read(fieldNames);
	const fields = item.execution.asTool ? withoutPlumbing(item) : item.input.json;
	const paths = names.map((name) => findPath(fields, name));
	const missing = names.filter((_, index) => paths[index] === undefined);
	const found = paths.filter((path) => path !== undefined);
	const state = withoutFiles(names.length === 0 ? fields : (pickPaths(fields, found) as IDataObject));
	if (Object.keys(state).length === 0) throw nothingToJudge(item, names, fields);
	if (found.length > 0 && found.every((path) => isBlank(valueAt(fields, path)))) {
		throw new ParameterError(
			named(fieldNames),
			`must name at least one field that is filled in. ${names.join(', ')}: empty in this item. It ${describeFields(fields)}`,
		);
	}
	for (const name of missing) increase(missingFields, name);
	return state;
}

function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function nothingToJudge({ execution }: ItemContext, names: string[], fields: object): ParameterError {
	if (execution.asTool && Object.keys(fields).length === 0) {
		return new ParameterError(
			named(source),
			'must be Text here, because this tool was called without an input item: choose Text, which the caller fills in',
		);
	}
	if (names.length === 0) {
		return new ParameterError(named(source), 'needs an input item with at least one field to judge');
	}
	return new ParameterError(
		named(fieldNames),
		`must name at least one field of the input item, not ${names.join(', ')}. It ${describeFields(fields)}`,
	);
}

/** The end of a sentence about an item. */
function describeFields(json: object): string {
	const names = Object.keys(json);
	return names.length === 0 ? 'has none' : `has: ${names.join(', ')}`;
}

/**
 * An expression may give a plain text, which is not JSON. But text that begins like JSON is treated as JSON, unless it comes
 * from an expression alone.
 */
function parse(given: string, { subject, stored }: Place): unknown {
	if (given.trim() === '') throw new ParameterError(subject, 'must not be empty');
	const parsed = parseJson(given);
	if (parsed.success) return parsed.value;
	const isExpression = typeof stored === 'string' && stored.startsWith('=');
	const isOneExpression = isExpression && /^=\s*\{\{(?:(?!\}\}).)*\}\}\s*$/s.test(stored);
	if (isOneExpression || (isExpression && !/^\s*[[{"]/.test(given))) return given;
	throw new ParameterError(subject, `must be valid JSON (${parsed.problem})`);
}

/**
 * Besides the agent's item and arguments, the input contains the call's ID, added by the engine, and for a call that a
 * person has approved the tool's name, added by the agent.
 */
function withoutPlumbing({ input, context }: ItemContext): IDataObject {
	const { toolCallId: _id, ...withTool } = input.json;
	const { tool, ...withoutTool } = withTool;
	const isNameOfTool = tool === undefined || tool === nodeNameToToolName?.(context.getNode());
	return isNameOfTool ? withoutTool : withTool;
}

/**
 * n8n's combined binary mode keeps an item's files in its JSON: as references under `_files`, and wherever a workflow has
 * copied a reference. A file's metadata from an API also has `id` and `mimeType`, but no storage mode in the ID.
 */
function withoutFiles(json: IDataObject): IDataObject {
	const { [FILES_IN_JSON]: files, ...others } = json;
	const onlyFiles = isPlainObject(files) && Object.values(files).every(isBinaryValue);
	const fields = onlyFiles ? others : json;
	// Copying takes several times as long as this check.
	return holdsFile(fields) ? (prune(fields) as IDataObject) : fields;
}

function holdsFile(value: unknown): boolean {
	if (!Array.isArray(value) && !isPlainObject(value)) return false;
	return Object.values(value).some((entry) => isFileReference(entry) || holdsFile(entry));
}

function prune(value: unknown): unknown {
	if (Array.isArray(value)) return value.filter((entry) => !isFileReference(entry)).map(prune);
	if (!isPlainObject(value)) return value;
	const kept = Object.entries(value).filter(([, entry]) => !isFileReference(entry));
	return Object.fromEntries(kept.map(([name, entry]) => [name, prune(entry)]));
}

function isFileReference(value: unknown): boolean {
	if (!isBinaryValue(value) || typeof value.data !== 'string') return false;
	// A stored file's `data` is the name of its storage, and its ID begins with it. Without an ID, it is the content itself.
	return value.id === undefined
		? 'fileExtension' in value || 'fileType' in value
		: typeof value.id === 'string' && value.id.startsWith(`${value.data}:`);
}

/** A date is not a plain object: it has its own text form. */
function isPlainObject(value: unknown): value is object {
	return Object.prototype.toString.call(value) === '[object Object]' && !('toJSON' in (value as object));
}
