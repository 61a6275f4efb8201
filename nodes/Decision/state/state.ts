import { nodeNameToToolName, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { parseJson } from '../../../client/values/parseJson';
import { isMissing } from '../../../client/values/records';
import { decisive, reportLostMembers, sent, TO_READ } from '../../shared/fields/expressionRules';
import {
	describeOnlyEmptyExpressions,
	EMPTY_EXPRESSIONS_ADVICE,
	hasExpressions,
	hasOnlyEmptyExpressions,
	isExpression,
	isResolved,
	splitAtExpressions,
	WRITES_ITEM,
} from '../../shared/fields/expressionText';
import {
	field,
	inTool,
	subjectOf,
	optionsField,
	required,
	shownIf,
	toText,
	type Field,
	type Place,
	type ValuesOf,
} from '../../shared/fields/Field';
import { pickPaths, splitNames, valueAt } from '../../shared/text/fieldPath';
import { readJsonText } from '../../shared/fields/jsonField';
import { lacksMember } from '../../shared/fields/lostMembers';
import type { ItemContext } from '../../shared/context/ItemContext';
import { FILES_IN_JSON } from '../../shared/values/binaryValue';
import { ParameterError } from '../../shared/fields/ParameterError';
import { ITEM_PREFIX } from '../../shared/text/namedField';
import { isBlank, withoutSigns } from '../../shared/text/composed';
import { listNames } from '../../shared/text/lists';
import type { SentStates } from './SentStates';
import { fieldWithHtml } from '../../shared/text/fieldWithHtml';
import { hasContent } from '../../shared/text/hasContent';
import { contentsOf, factsIn, fileMessageIn, withoutRowNames } from '../../shared/context/knownItems';
import { hasFiles, withoutFiles } from './files';
import { noteFixedText, notePlaceholders, placeholdersIn } from '../../shared/context/sentNotes';

// The input item of an agent holds the whole conversation, so a tool judges a text from the agent by default. The source is
// required: without it, n8n would hide "Fields to Send", and the whole item would be sent.
const source = inTool(
	required(
		optionsField({
			displayName: 'Input',
			name: 'stateSource',
			noDataExpression: true,
			options: [
				{ name: 'Whole Input Item', value: 'item', description: 'All or selected fields' },
				{ name: 'Text', value: 'text', description: 'Text that you type or build with expressions' },
				{ name: 'JSON', value: 'json', description: 'An object, a list or text, as JSON' },
			],
			default: 'item',
			description: 'What the questions are about',
			hint: 'Input tokens are billed: send only what the questions are about',
		}),
	),
	{
		default: 'text',
		hint: "The agent fills in 'Text'. 'Whole Input Item' works only with an agent: an MCP client has no input item.",
	},
);

const fieldNames = shownIf(
	decisive(
		field(
			{
				displayName: 'Fields to Send',
				name: 'stateFields',
				type: 'string',
				default: '',
				placeholder: 'e.g. subject, message',
				description:
					'Names of the fields to send, separated by commas, or dragged from the input. Leave empty to send all.',
				requiresDataPath: 'multiple',
			},
			(value, place): string[] =>
				Array.isArray(value)
					? value.map((name) => toText(name, place).trim()).filter((name) => name !== '')
					: namesIn(toText(value, place)),
		),
	),
	[source, 'item'],
);

const text = shownIf(
	inTool(
		sent(
			field(
				{
					displayName: 'Text',
					name: 'stateText',
					type: 'string',
					typeOptions: { rows: 4 },
					default: '',
					placeholder: 'e.g. My card was charged twice!',
					description: 'The text to judge',
				},
				(value, place): string => {
					const { subject, stored } = place;
					if (isExpression(stored) && (value === undefined || value === null)) {
						throw new ParameterError(subject, 'must be text, but its expression returns nothing');
					}
					const given = toText(value, place);
					if (!isExpression(stored) && isBlank(given)) {
						throw new ParameterError(subject, 'must not be empty');
					}
					if (hasOnlyEmptyExpressions(stored, value)) return '';
					return given;
				},
			),
			TO_READ,
		),
		{ default: "={{ $fromAI('text', 'The text to judge', 'string') }}" },
	),
	[source, 'text'],
);

const json = shownIf(
	sent(
		field(
			{
				displayName: 'JSON',
				name: 'stateJson',
				type: 'json',
				default: '',
				placeholder: 'e.g. { "subject": "Refund", "message": "I was charged twice" }',
				description:
					'An object, a list, or text in quotes. Questions may refer to the fields of an object by name.',
				// The editor shows no placeholder in JSON parameters, so the hint gives an example.
				hint: 'For example: { "subject": "Refund", "message": "I was charged twice" }',
			},
			(value, place): unknown => {
				const { subject, stored } = place;
				if (!isMissing(value) && hasOnlyEmptyExpressions(stored, value)) return undefined;
				const state = typeof value === 'string' ? parseStateJson(value, place) : value;
				const isAllowed = typeof state === 'string' || (typeof state === 'object' && state !== null);
				if (!isAllowed) throw new ParameterError(subject, 'must be an object, a list or text');
				if (typeof value === 'string') return state;
				if (isExpression(stored) && !hasContent(state) && lacksMember(state)) return undefined;
				reportLostMembers(state, place);
				return state;
			},
		),
	),
	[source, 'json'],
);

/** These fields choose what the questions are about. */
export const stateFields = { source, fieldNames, text, json };

/** Describes the `state` of a request, or the error of an item that has nothing to judge. */
type StateResult = { state: unknown; emptyError?: undefined } | { emptyError: ParameterError };

/** Matches the expressions for the whole input item. */
const ITEM_AS_JSON = /^=\s*\{\{\s*(?:\$json|JSON\.stringify\(\$json\))\s*\}\}\s*$/;

const WHOLE_ITEM = { text: WRITES_ITEM, json: ITEM_AS_JSON };

const EMPTY_ITEM_ADVICE =
	"Fill in a field, or filter such items out. The operation 'Route' sends them to its output 'Uncertain'.";

/**
 * Reads the `state` of a decision request.
 * @throws ParameterError if the node's settings look wrong, not only this item
 */
export async function readState(
	item: ItemContext,
	values: ValuesOf<typeof stateFields>,
	states: SentStates,
): Promise<StateResult> {
	switch (values.source) {
		case 'text':
			if (isBlank(values.text)) return onlyEmptyExpressions(item, text);
			noteNames(item, values.text);
			states.noteWritten(item, text);
			return { state: values.text };
		case 'json':
			if (values.json === undefined) return onlyEmptyExpressions(item, json);
			states.noteWritten(item, json);
			return { state: values.json };
		case 'item':
			return await readItem(item, values.fieldNames ?? [], states);
	}
}

/** Takes note of names of fields in the text where no expression stands. */
function noteNames(item: ItemContext, sentText: unknown): void {
	const stored = item.run.parameters.stored(text);
	if (!hasExpressions(stored)) noteFixedText(item, sentText);
	else notePlaceholders(item, splitAtExpressions(String(stored)).literals.flatMap(placeholdersIn), sentText);
}

function namesIn(list: string): string[] {
	return splitNames(list).map(withoutItemPrefix);
}

/** Whoever types a name may write `$json.message`, as in an expression. Without the sign, `json` may be a field. */
function withoutItemPrefix(name: string): string {
	return name.startsWith('$') ? name.replace(ITEM_PREFIX, '') : name;
}

/** Returns the fields of the input item that were sent, all or chosen ones, or undefined if a person wrote what was sent. */
export function sentFieldsOf(
	item: ItemContext,
	values: ValuesOf<typeof stateFields>,
	state: unknown,
): IDataObject | undefined {
	if (values.source !== 'item' && !sendsWholeItem(item, values)) return undefined;
	return values.source === 'text' ? item.input.json : (state as IDataObject);
}

/** Returns whether the whole input item is sent, so that nobody has named a field of it. */
export function sendsWholeItem({ run }: ItemContext, values: ValuesOf<typeof stateFields>): boolean {
	return values.source === 'item'
		? (values.fieldNames ?? []).length === 0
		: WHOLE_ITEM[values.source].test(String(run.parameters.stored(stateFields[values.source])));
}

/**
 * Returns the names of the fields of the input item that a node sends, by its stored parameters. There are none if it sends the whole item. An
 * expression counts as a name, which no field has.
 * @returns undefined if a person wrote what is sent
 */
export function storedNamesToSend(parameters: INodeParameters): string[] | undefined {
	const { stateSource, stateFields: names } = parameters;
	if (stateSource === 'text' || stateSource === 'json') {
		const stored = parameters[stateSource === 'text' ? 'stateText' : 'stateJson'];
		return WHOLE_ITEM[stateSource].test(String(stored)) ? [] : undefined;
	}
	if (typeof names !== 'string') return undefined;
	return namesIn(isResolved(names) ? names.slice(1) : names);
}

function onlyEmptyExpressions({ run }: ItemContext, source: Field): StateResult {
	const found = describeOnlyEmptyExpressions(run.parameters.stored(source));
	const rule = `has no text to judge: ${subjectOf(source)} says nothing, because ${found}`;
	return { emptyError: new ParameterError('The item', rule, EMPTY_EXPRESSIONS_ADVICE) };
}

async function readItem(item: ItemContext, names: string[], states: SentStates): Promise<StateResult> {
	const fields = item.run.isTool ? withoutToolFields(item) : item.input.json;
	return names.length === 0
		? readAllFields(item, fields)
		: await readChosenFields(item, fields, names, states);
}

function readAllFields(item: ItemContext, fields: IDataObject): StateResult {
	const { run, input } = item;
	const isWithFiles = hasFiles(input);
	const { fields: state, fileFields } = withoutFiles(withoutRowNames(fields), isWithFiles);
	// Every item with files has this field, so it says nothing about what a person wants to send.
	const named = fileFields.filter((name) => name !== FILES_IN_JSON);
	const fileMessage = fileMessageIn(fields);
	if (fileMessage !== undefined) throw filesError([fileMessage]);
	if (contentsOf(state, isWithFiles).next().done !== true) {
		item.noteFields('file', named);
		return { state };
	}
	if (isWithFiles || named.length > 0) throw filesError(named);
	const inputNames = Object.keys(fields);
	if (inputNames.length === 0) throw noFieldsError(run.isTool);
	const facts = factsIn(fields, isWithFiles);
	const verb = facts.length === 1 ? 'does' : 'do';
	const exception = facts.length === 0 ? '' : `, and ${listNames(facts)} ${verb} not count`;
	const emptyRule = `has nothing to judge: all its fields are empty${exception}. It has: ${listNames(inputNames)}`;
	return { emptyError: new ParameterError('The item', emptyRule, EMPTY_ITEM_ADVICE) };
}

async function readChosenFields(
	item: ItemContext,
	fields: IDataObject,
	names: string[],
	states: SentStates,
): Promise<StateResult> {
	const { run, input } = item;
	const isWithFiles = hasFiles(input);
	const paths = names.map((name) => item.run.findPath(name, fields));
	const found = paths.filter((path) => path !== undefined);
	const { fields: state, fileFields } = withoutFiles(pickPaths(fields, found) as IDataObject, isWithFiles);
	if (found.some((path) => isSent(fields, path, isWithFiles))) {
		item.noteFields('file', fileFields);
		item.noteFields(
			'missing',
			names.filter((_, index) => !paths[index]),
		);
		noteBlank(
			item,
			fields,
			names.map((name, index) => ({ name, path: paths[index] })),
			states,
		);
		return { state };
	}
	if (fileFields.length > 0) throw filesError(fileFields);
	const inputNames = Object.keys(fields);
	const has = inputNames.length === 0 ? 'It has no fields' : `It has: ${listNames(inputNames)}`;
	if (found.length === 0 && !(await states.anyItemHas(names, run))) {
		if (inputNames.length === 0) throw noFieldsError(run.isTool);
		const rule = `must name at least one field of the input, not ${listNames(names)}. ${has}`;
		throw new ParameterError(subjectOf(fieldNames), rule, adviceFor(names, inputNames));
	}
	const emptyRule = `has nothing to judge in ${listNames(names)}. ${has}`;
	return { emptyError: new ParameterError('The item', emptyRule, EMPTY_ITEM_ADVICE) };
}

/** Takes note of the chosen fields that hold nothing, and of fields with their text as HTML that are not chosen. */
function noteBlank(
	item: ItemContext,
	fields: IDataObject,
	chosen: Array<{ name: string; path: string[] | undefined }>,
	states: SentStates,
): void {
	const isChosen = (keys: string[]) =>
		chosen.some(({ path }) => path?.every((key, index) => key === keys[index]));
	const blank: string[] = [];
	for (const { name, path } of chosen) {
		if (!path || hasContent(valueAt(fields, path))) continue;
		const withHtml = fieldWithHtml(fields, path);
		if (withHtml === undefined) blank.push(name);
		else if (!isChosen(withHtml)) item.noteFields('blank', [withHtml.join('.')]);
	}
	states.noteChosen(blank);
}

/** Returns whether these names are, or begin with, the pieces of one field's name that was typed and contains a comma. */
function isSplitAtComma(field: string, names: string[]): boolean {
	const pieces = splitNames(field);
	return pieces.length > 1 && pieces.some((piece) => names.includes(piece));
}

/** Says how to name the field that was probably meant. A label of a form may have a comma in it, or end in a question mark. */
function adviceFor(names: string[], inputNames: string[]): string | undefined {
	const split = inputNames.find((field) => isSplitAtComma(field, names));
	if (split !== undefined) {
		return `A comma separates names. Write ['${split.replaceAll("'", "\\'")}'], or drag the field from the input.`;
	}
	const keys = names.map(withoutSigns);
	const similar = inputNames.find((field) => keys.includes(withoutSigns(field)));
	return similar === undefined ? undefined : `Did you mean "${similar}"? Drag the field from the input.`;
}

/** Returns whether a chosen field has something to judge once its files are removed, by the rule for a whole item. */
function isSent(fields: IDataObject, path: string[], isWithFiles: boolean): boolean {
	const name = path.at(-1)!;
	const chosen = { [name]: valueAt(fields, path) } as IDataObject;
	return hasContent(withoutFiles(chosen, isWithFiles).fields[name]);
}

/**
 * Makes the error for an item of which only files are left, which are never sent.
 * @param names the fields with files, if they are named in the JSON
 */
function filesError(names: string[]): ParameterError {
	const which = names.length === 0 ? '' : ` in ${listNames(names)}`;
	return new ParameterError(
		'The item',
		`has nothing to judge but a file${which}, and this node does not read files`,
		"Read the text of the file first, with n8n's node 'Extract from File', and send the field that holds it.",
	);
}

function noFieldsError(isTool: boolean): ParameterError {
	return new ParameterError(
		subjectOf(source),
		isTool
			? 'must be Text here, because this tool was called without an input item: choose Text, which the caller fills in'
			: 'needs an input item with at least one field to judge',
	);
}

/**
 * Parses JSON text. An expression may also give plain text, which is not JSON. Text with an expression in it that begins like
 * JSON must be valid JSON, unless the parameter is a single expression.
 * @throws ParameterError for empty text, and for text that should be JSON and is not
 */
function parseStateJson(given: string, place: Place): unknown {
	const { subject, stored } = place;
	if (given.trim() === '') throw new ParameterError(subject, 'must not be empty');
	const isOneExpression = isExpression(stored) && /^=\s*\{\{(?:(?!\}\}).)*\}\}\s*$/s.test(stored);
	const mayBePlain = isOneExpression || (isExpression(stored) && !/^\s*[[{"]/.test(given));
	return mayBePlain && !parseJson(given).success ? given : readJsonText(given, place);
}

/**
 * Removes two fields that are not part of the agent's item or arguments: the ID of the tool call, which the engine adds, and the
 * name of the tool, which the agent adds to a call that a person has approved.
 */
function withoutToolFields({ input, context }: ItemContext): IDataObject {
	const { toolCallId: _id, ...withTool } = input.json;
	const { tool, ...withoutTool } = withTool;
	const isNameOfTool = tool === undefined || tool === nodeNameToToolName?.(context.getNode());
	return isNameOfTool ? withoutTool : withTool;
}
