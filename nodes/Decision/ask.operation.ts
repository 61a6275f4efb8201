import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { decodeJson } from '../../client/decodeJson';
import type { Reply } from '../../client/ServiceClient';
import type { ItemCall } from '../shared/ItemCall';
import type { ItemResult, Operation } from '../shared/Operation';
import { ParameterError } from '../shared/ParameterError';
import { columnsOf, readDecision, valuesOf, type Decision } from './answers';
import {
	questionsBuilder,
	questionsJson,
	questionsSource,
	readQuestions,
	toWire,
	type Question,
} from './questions';
import { readState, stateFields } from './state';

const DEFAULT_MODEL = 'Kev-4B';

const METADATA_COLUMNS = ['model', 'input_tokens', 'output_tokens', 'trace_id'];

const decisionOptions: INodeProperties[] = [
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

export const ask: Operation = {
	value: 'ask',
	name: 'Answer Questions',
	description: 'Answer questions about a text or an item: yes or no, one of several options, or a rating',
	action: 'Answer questions about an item',
	fields: [...stateFields, questionsSource, questionsBuilderForFields(), questionsJson],
	optionFields: decisionOptions,
	run: async (item) => {
		const questions = readQuestions(item);
		return await decide(item, questions);
	},
};

function questionsBuilderForFields(): INodeProperties {
	return { ...questionsBuilder, displayOptions: { show: { questionsSource: ['fields'] } } };
}

async function decide(item: ItemCall, questions: Question[]): Promise<ItemResult> {
	const simplify = item.boolean('simplify');
	const outputField = item.text('options.outputField');
	const includeMetadata = item.boolean('options.includeMetadata');
	if (simplify) checkColumns(questions, outputField, includeMetadata);
	const { answer, traceId } = await requestDecision(item, questions);
	const { body, decision } = answer;
	if (!simplify) return { json: { ...(body as IDataObject), trace_id: traceId ?? null } };
	const columns = columnsOfDecision(questions, decision);
	return {
		json: {
			...(outputField === '' ? columns : Object.fromEntries([[outputField, columns]])),
			...(includeMetadata ? metadata(decision, traceId) : {}),
		},
	};
}

async function requestDecision(
	item: ItemCall,
	questions: Question[],
): Promise<Reply<{ body: unknown; decision: Decision }>> {
	const model = item.text('options.model').trim() || DEFAULT_MODEL;
	const state = readState(item);
	const headers = traceHeaders(item);
	return await item.call({
		method: 'POST',
		path: '/systemone',
		headers,
		json: { model, state, questions: toWire(questions) },
		decode: async (bytes) => {
			const body = await decodeJson(bytes);
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

function checkColumns(questions: Question[], outputField: string, includeMetadata: boolean): void {
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
	const topLevel = outputField === '' ? ofQuestions : [];
	const reserved = includeMetadata ? METADATA_COLUMNS : [];
	for (const { column, id } of topLevel) {
		const problem = problemOf(column, reserved);
		if (problem)
			throw new ParameterError(`question "${id}"`, `gives the output column "${column}", ${problem}`);
	}
	const problem = problemOf(outputField, reserved);
	if (problem) throw new ParameterError('options.outputField', `must not be "${outputField}", ${problem}`);
}

function problemOf(column: string, reserved: string[]): string | undefined {
	if (column === 'error') return 'which n8n would take for a failed item';
	return reserved.includes(column) ? 'which holds metadata' : undefined;
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
