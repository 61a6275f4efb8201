import type { INodeParameters } from 'n8n-workflow';

import { isRecord } from '../../../client/values/records';
import type { RunContext } from '../../shared/context/RunContext';
import { outputsOf } from '../editor/outputs';
import { readStored } from '../editor/storedDecision';

/** Describes a "Route" before this node, some of whose outputs do not lead here. */
interface MissingBranches {
	node: string;
	labels: string[];
}

/**
 * Finds the nodes with "Route" that answer the evaluated question, and whose items reach this node from some outputs only. The rows are then
 * chosen by their answers, so that no figure holds for all of them. n8n's types do not have this field of the context, and without it the
 * result is empty.
 * @param answer the name of the field with the answer, without the path to it
 */
export function findMissingBranches({ context }: RunContext, answer: string): MissingBranches[] {
	const { workflow } = context as { workflow?: unknown };
	if (!isRecord(workflow) || !isRecord(workflow.nodes) || !isRecord(workflow.connectionsBySourceNode)) {
		return [];
	}
	const { nodes, connectionsBySourceNode: connections } = workflow;
	const { name: own, type } = context.getNode();
	const isReached = nodesBefore(own, connections);
	return [...isReached].flatMap((name) => {
		const node = nodes[name];
		if (!isRecord(node) || node.type !== type || node.disabled === true) return [];
		const stored = readStored(node.parameters as INodeParameters);
		if (stored.operation !== 'route' || !answers(stored.questions, answer)) return [];
		const wires = wiresOf(connections[name]);
		const labels = outputsOf(stored)
			.map(({ displayName = '' }) => displayName)
			.filter((_, index) => !targetsOf(wires[index]).some((target) => isReached.has(target)));
		return labels.length === 0 ? [] : [{ node: name, labels }];
	});
}

/** Returns whether a field has the name of a column of one of these questions, or of the column with the output. */
function answers(questions: Array<{ id: string }>, field: string): boolean {
	return field === 'route' || questions.some(({ id }) => field === id || field.startsWith(`${id}_`));
}

/** Returns the names of the nodes from which items may get to a node, and its own. */
function nodesBefore(name: string, connections: Record<string, unknown>): Set<string> {
	const found = new Set([name]);
	const sources = Object.entries(connections).map(
		([source, outputs]) => [source, wiresOf(outputs).flatMap(targetsOf)] as const,
	);
	for (const known of found) {
		for (const [source, targets] of sources) if (targets.includes(known)) found.add(source);
	}
	return found;
}

function wiresOf(outputs: unknown): unknown[] {
	return isRecord(outputs) && Array.isArray(outputs.main) ? outputs.main : [];
}

function targetsOf(wire: unknown): string[] {
	return (Array.isArray(wire) ? wire : []).filter(isRecord).map(({ node }) => String(node));
}
