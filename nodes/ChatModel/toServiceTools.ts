import type { Tool as OfferedTool } from '@n8n/ai-node-sdk';

import { isRecord } from '../../client/values/records';
import type { Tool, ToolChoice } from '../../contract/types';
import { ParameterError } from '../shared/fields/ParameterError';
import { toServiceTool } from '../shared/generation/toServiceTool';

const ANY_TOOL: ReadonlySet<unknown> = new Set(['any', 'required']);

/**
 * Converts the tools of n8n's AI nodes into the service's format.
 * @throws ParameterError that names the tool, if a tool cannot be offered
 */
export async function toServiceTools(tools: OfferedTool[]): Promise<Tool[]> {
	return await Promise.all(
		tools.map(async (tool) => {
			if (tool.type === 'function') return await toServiceTool(tool.name, tool.description, tool.inputSchema);
			throw new ParameterError(
				`tool "${tool.name}"`,
				'must be a tool of n8n: the service has no tools of its own',
			);
		}),
	);
}

/**
 * Converts a tool choice that LangChain's `bindTools` accepts: `auto`, `none`, `any`, the name of a tool, or an object that holds
 * one. The service has no "any", so with several tools nothing is sent, and the model decides.
 */
export function toServiceToolChoice(choice: unknown, tools: Tool[]): ToolChoice | undefined {
	if (tools.length === 0) return undefined;
	if (choice === 'auto' || choice === 'none') return { type: choice };
	const name = nameIn(choice) ?? (ANY_TOOL.has(choice) && tools.length === 1 ? tools[0]!.name : choice);
	return tools.some((tool) => tool.name === name) ? { type: 'tool', name: String(name) } : undefined;
}

/** Reads the name from `{ type: 'function', function: { name } }` or `{ type: 'tool', name }`. */
function nameIn(choice: unknown): unknown {
	if (!isRecord(choice)) return undefined;
	return isRecord(choice.function) ? choice.function.name : choice.name;
}
