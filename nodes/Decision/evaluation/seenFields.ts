import type { INodeExecutionData, IRunData, IRunExecutionData, ITaskData } from 'n8n-workflow';

import type { RunContext } from '../../shared/context/RunContext';
import { WorkflowGraph } from '../../shared/context/WorkflowGraph';
import { isSame } from '../../shared/run/otherFields';
import type { Pause } from '../../shared/run/yieldRegularly';
import { isBlank } from '../../shared/text/composed';
import { fieldReader, pathFinder, valueAt } from '../../shared/text/fieldPath';
import { storedNamesToSend } from '../state/state';
import type { EvaluatedFields } from './evaluatedFields';

/** Names a node before the evaluation, and the fields of the evaluation that its model saw before it answered. */
export interface SeenFields {
	node: string;
	fields: string[];
}

/**
 * Finds the nodes that gave one of the evaluated answers while another field of the evaluation was part of what they sent: the expected
 * answer, or an answer to compare with. Their items are looked at as they were then, because a field may have been added afterwards.
 */
export async function findSeenFields(
	{ context }: RunContext,
	{ expectedField, answerField, compareField }: EvaluatedFields,
	pause: Pause,
): Promise<SeenFields[]> {
	const graph = WorkflowGraph.of(context);
	// n8n's types do not have this field of the context. It holds what the nodes before this one have output.
	const { runExecutionData } = context as { runExecutionData?: IRunExecutionData };
	const runData = runExecutionData?.resultData.runData;
	if (!graph || !runData) return [];
	const { name: own, type } = context.getNode();
	const evaluated = [expectedField, answerField, compareField].filter((name) => name !== '');
	const found: SeenFields[] = [];
	for (const name of graph.nodesBefore(own)) {
		const node = graph.node(name);
		const chosen = node?.type === type ? storedNamesToSend(node.parameters) : undefined;
		if (!chosen) continue;
		const seen = new Set<string>();
		for (const run of runData[name] ?? []) {
			const inputs = inputsOf(run, runData);
			const sent = await sentFields(evaluated, chosen, inputs, pause);
			if (sent.length === 0 || !(await hasAdded(evaluated, inputs, outputsOf(run), pause))) continue;
			for (const field of sent) seen.add(field);
		}
		if (seen.size > 0) found.push({ node: name, fields: [...seen] });
	}
	return found;
}

/**
 * Returns which of these fields have a value in any of the items, and are sent with it.
 * @param chosen the names of the fields that are sent. There are none if the whole item is.
 */
async function sentFields(
	fields: string[],
	chosen: string[],
	items: INodeExecutionData[],
	pause: Pause,
): Promise<string[]> {
	const chosenFinders = chosen.map(pathFinder);
	const sent: string[] = [];
	for (const field of fields) {
		const find = pathFinder(field);
		for (const { json } of items) {
			await pause();
			const path = find(json);
			if (!path || isBlank(valueAt(json, path))) continue;
			if (chosen.length > 0 && !chosenFinders.some((other) => isSameBranch(path, other(json)))) continue;
			sent.push(field);
			break;
		}
	}
	return sent;
}

/** Returns whether a node has written a value into one of these fields. The other fields of an item stay what they were. */
async function hasAdded(
	fields: string[],
	inputs: INodeExecutionData[],
	outputs: INodeExecutionData[],
	pause: Pause,
): Promise<boolean> {
	const readers = fields.map(fieldReader);
	for (const [index, { json, pairedItem }] of outputs.entries()) {
		await pause();
		// Pinned items are not paired.
		const isPaired = typeof pairedItem === 'object' && 'item' in pairedItem;
		const input = inputs[isPaired ? pairedItem.item : index]?.json ?? {};
		const isNew = (value: unknown, before: unknown) => !isBlank(value) && !isSame(value, before);
		if (readers.some((read) => isNew(read(json), read(input)))) return true;
	}
	return false;
}

/** Returns whether one of two fields is within the other, or is the other. */
function isSameBranch(path: string[], other: string[] | undefined): boolean {
	return other !== undefined && other.every((key, depth) => depth >= path.length || key === path[depth]);
}

/** Returns the items that a node got in a run. */
function inputsOf({ source }: ITaskData, runData: IRunData): INodeExecutionData[] {
	return source.flatMap((from) => {
		if (!from) return [];
		const { previousNode, previousNodeRun = 0, previousNodeOutput = 0 } = from;
		return runData[previousNode]?.[previousNodeRun]?.data?.main?.[previousNodeOutput] ?? [];
	});
}

function outputsOf({ data }: ITaskData): INodeExecutionData[] {
	return (data?.main ?? []).flatMap((items) => items ?? []);
}
