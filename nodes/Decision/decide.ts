import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { decodeJson } from '../../client/decodeJson';
import type { CallResult } from '../../client/ServiceClient';
import type { ItemCall } from '../shared/ItemCall';
import type { ItemResult } from '../shared/Operation';
import { ParameterError } from '../shared/ParameterError';
import { columnsOf, readDecision, valuesOf, type Answer, type Decision } from './answers';
import { QUESTION_PARAMETERS, toWire, type Question } from './questions';
import { readState } from './state';

/** The way an item takes by its answers. */
export interface Route {
	/** Index of the node's output. */
	output: number;
	/** As the output is labelled in the editor. */
	label: string;
}

const DEFAULT_MODEL = 'Kev-4B';

/** What the columns depend on. */
const COLUMN_PARAMETERS = [...QUESTION_PARAMETERS, 'options.outputField', 'options.includeMetadata'];

const METADATA_COLUMNS = ['model', 'input_tokens', 'output_tokens', 'trace_id'];

/** The options of every decision, beside those of every node. */
export const decisionOptions: INodeProperties[] = [
	{
		displayName: 'Include Metadata',
		name: 'includeMetadata',
		type: 'boolean',
		default: false,
		description: 'Whether to add the model, the tokens used and the trace ID to the result',
		displayOptions: { show: { '/simplify': [true] } },
	},
	{
		displayName: 'Model',
		name: 'model',
		type: 'string',
		default: DEFAULT_MODEL,
		description: `The model that answers. The service has one for decisions, ${DEFAULT_MODEL}.`,
	},
	{
		displayName: 'Put Answers Under Field',
		name: 'outputField',
		type: 'string',
		default: '',
		placeholder: 'e.g. decision',
		description:
			'Name of one field to hold all answers. Leave empty to put each answer in a field of its own.',
		displayOptions: { show: { '/simplify': [true] } },
	},
	{
		displayName: 'Trace ID',
		name: 'traceId',
		type: 'string',
		default: '',
		placeholder: 'e.g. order-4711',
		description:
			'Your own identifier for the request, to quote when troubleshooting. Leave empty to have one made from the execution ID.',
	},
	{
		displayName: 'Traceparent',
		name: 'traceparent',
		type: 'string',
		default: '',
		placeholder: 'e.g. 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
		description: 'W3C Trace Context of the caller. Its trace ID then identifies the request.',
	},
];

/**
 * Has the service answer the questions for an item.
 * @param routeBy chooses the item's output by the answers, which come in the order of the questions
 * @throws ParameterError for options that do not go together, before anything is sent
 * @throws ServiceError
 */
export async function decide(
	item: ItemCall,
	questions: Question[],
	routeBy?: (answers: Answer[]) => Route,
): Promise<ItemResult> {
	const simplify = item.boolean('simplify');
	const outputField = item.text('options.outputField');
	const includeMetadata = item.boolean('options.includeMetadata');
	if (simplify) {
		item.parameters.derive(COLUMN_PARAMETERS, () =>
			checkColumns(questions, outputField, [
				...(includeMetadata
					? METADATA_COLUMNS.map((column) => [column, 'which holds metadata'] as const)
					: []),
				...(routeBy ? [['route', 'which holds the label of the output taken'] as const] : []),
			]),
		);
	}
	const { result, traceId } = await requestDecision(item, questions);
	const { body, decision } = result;
	const route = routeBy?.(decision.answers);
	const output = route?.output;
	if (!simplify) return { json: { ...(body as IDataObject), trace_id: traceId ?? null }, output };
	const columns = columnsOfDecision(questions, decision);
	return {
		json: {
			...(outputField === '' ? columns : Object.fromEntries([[outputField, columns]])),
			...(route ? { route: route.label } : {}),
			...(includeMetadata ? metadata(decision, traceId) : {}),
		},
		output,
	};
}

async function requestDecision(
	item: ItemCall,
	questions: Question[],
): Promise<CallResult<{ body: unknown; decision: Decision }>> {
	const model = item.text('options.model').trim() || DEFAULT_MODEL;
	const state = readState(item);
	const headers = traceHeaders(item);
	return await item.call({
		method: 'POST',
		path: '/systemone',
		headers,
		json: { model, state, questions: toWire(questions) },
		decode: async (response) => {
			const body = await decodeJson(response);
			return { body, decision: readDecision(body, questions) };
		},
		repeat: 'always',
	});
}

function columnsOfDecision(questions: Question[], { answers }: Decision): IDataObject {
	return Object.fromEntries(
		questions.flatMap((question, index) => {
			const values = valuesOf(question, answers[index]!);
			return columnsOf(question).map((column, position) => [column, values[position]]);
		}),
	);
}

function metadata({ model, inputTokens, outputTokens }: Decision, traceId: string | undefined): IDataObject {
	return { model, input_tokens: inputTokens, output_tokens: outputTokens, trace_id: traceId ?? null };
}

/** @param taken top-level columns that others than the questions need, each with the reason */
function checkColumns(
	questions: Question[],
	outputField: string,
	taken: ReadonlyArray<readonly [column: string, reason: string]>,
): void {
	const ofQuestions = questions.flatMap((question) =>
		columnsOf(question).map((column) => ({ column, id: question.id })),
	);
	const seen = new Map<string, string>();
	for (const { column, id } of ofQuestions) {
		const other = seen.get(column);
		if (other !== undefined) {
			throw new ParameterError(
				`question "${id}"`,
				`gives the output column "${column}", which question "${other}" gives too`,
			);
		}
		seen.set(column, id);
	}
	const problems = new Map([['error', 'which n8n would take for a failed item'], ...taken]);
	const topLevel = outputField === '' ? ofQuestions : [];
	for (const { column, id } of topLevel) {
		const problem = problems.get(column);
		if (problem)
			throw new ParameterError(`question "${id}"`, `gives the output column "${column}", ${problem}`);
	}
	const problem = problems.get(outputField);
	if (problem) throw new ParameterError('options.outputField', `must not be "${outputField}", ${problem}`);
}

function traceHeaders(item: ItemCall): () => Record<string, string> {
	const given = {
		...headerFrom(item, 'options.traceId', 'x-trace-id'),
		...headerFrom(item, 'options.traceparent', 'traceparent'),
	};
	if (Object.keys(given).length > 0) return () => given;
	const executionId = item.context.getExecutionId();
	return () => ({ 'x-trace-id': `n8n-${executionId}-${crypto.randomUUID()}` });
}

function headerFrom(item: ItemCall, parameter: string, header: string): Record<string, string> {
	const value = item.text(parameter).trim();
	if (value === '') return {};
	if (!/^[\x20-\x7e]+$/.test(value)) {
		throw new ParameterError(
			parameter,
			'must consist of printable ASCII characters, because it is sent as a header',
		);
	}
	return { [header]: value };
}
