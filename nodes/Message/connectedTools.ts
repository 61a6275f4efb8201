import { NodeConnectionTypes, type IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../../client/values/records';
import type { Tool } from '../../contract/types';
import type { RunContext } from '../shared/context/RunContext';
import { WorkflowGraph } from '../shared/context/WorkflowGraph';
import { expressionsWithin } from '../shared/fields/expressionText';
import { ParameterError } from '../shared/fields/ParameterError';
import { toServiceTool } from '../shared/generation/toServiceTool';
import { checkToolNames } from './tools';

/** Describes a connected tool of n8n, which is a LangChain tool. */
interface LangChainTool {
	name: string;
	description?: string;
	/** Holds a Zod schema or a JSON schema. */
	schema?: unknown;
	metadata?: unknown;
	invoke(input: unknown, config: { signal: AbortSignal }): Promise<unknown>;
}

interface ConnectedTool {
	/** Holds the tool in the service's format. */
	wire: Tool;
	/** Runs the tool, and returns its result as text for the model. */
	run(input: unknown, signal: AbortSignal): Promise<string>;
}

/** Errors name the input by its label on the screen. */
const INPUT = "The input 'Tools'";

/** An expression that contains one of these reads the item. */
const READS_ITEM = /\$(?:json|input|binary|itemIndex)\b|\.item\b/;

export type ConnectedTools = ReadonlyMap<string, ConnectedTool>;

/**
 * Creates the connected tools. This must be done only once for a run, because some tools open a connection, and each counts how
 * often it ran.
 * @throws ParameterError that names the tool, if a tool cannot be offered
 */
export async function makeConnectedTools({ context }: RunContext): Promise<ConnectedTools> {
	// When the node itself is an agent's tool, it has no input for tools.
	if (!context.getNodeInputs().some(({ type }) => type === NodeConnectionTypes.AiTool)) return new Map();
	const connected = await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
	const tools = unpack(connected as unknown[]);
	if (!tools.every(isLangChainTool)) {
		throw new ParameterError(INPUT, 'accepts only tools');
	}
	checkToolNames(
		tools.map(({ name }) => name),
		INPUT,
	);
	return new Map(
		await Promise.all(tools.map(async (tool) => [tool.name, await toConnectedTool(tool)] as const)),
	);
}

/** Returns the names of the connected nodes with an expression that reads an item. n8n resolves it for the first item only. */
export function toolsOfFirstItem(context: IExecuteFunctions): string[] {
	const graph = WorkflowGraph.of(context);
	if (!graph) return [];
	return graph.sourcesOf(context.getNode().name, NodeConnectionTypes.AiTool).filter((name) => {
		const node = graph.node(name);
		if (!node || node.disabled === true) return false;
		return expressionsWithin(node.parameters).some((expression) => READS_ITEM.test(expression));
	});
}

/** Unpacks toolkits, such as that of the MCP Client Tool, which hold their tools in `tools`. */
function unpack(connected: unknown[]): unknown[] {
	return connected.flatMap((entry) =>
		!isLangChainTool(entry) && isRecord(entry) && Array.isArray(entry.tools) ? entry.tools : [entry],
	);
}

function isLangChainTool(value: unknown): value is LangChainTool {
	return isRecord(value) && typeof value.name === 'string' && typeof value.invoke === 'function';
}

async function toConnectedTool(tool: LangChainTool): Promise<ConnectedTool> {
	// A tool with this field needs a person's approval in n8n. Invoking it does nothing.
	if (isRecord(tool.metadata) && 'gatedToolNodeName' in tool.metadata) {
		throw new ParameterError(
			`tool "${tool.name}"`,
			"needs a person's approval, which only an AI Agent supports: connect it without that step",
		);
	}
	return {
		wire: await toServiceTool(tool.name, tool.description, tool.schema),
		run: async (input, signal) => toText(await tool.invoke(input, { signal })),
	};
}

function toText(result: unknown): string {
	return typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
}
