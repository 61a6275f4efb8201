import { isRecord } from '../../../client/response/records';
import type { Tool } from '../../../contract/types';
import { ParameterError } from '../fields/ParameterError';

/**
 * A tool that n8n offers a model, in the service's format.
 * @param schema of its input: undefined or null for no input, a schema of Zod, or a JSON schema
 * @throws ParameterError that names the tool, for a schema of another kind
 */
export async function toServiceTool(
	name: string,
	description: string | undefined,
	schema: unknown,
): Promise<Tool> {
	const input_schema = await toJsonSchema(schema);
	if (!input_schema) {
		throw new ParameterError(`tool "${name}"`, 'must describe its input with a Zod 3 or JSON schema');
	}
	return { name, ...(description?.trim() ? { description } : {}), input_schema };
}

async function toJsonSchema(schema: unknown): Promise<Record<string, unknown> | undefined> {
	if (schema === undefined || schema === null) return { type: 'object', properties: {} };
	if (!isRecord(schema) || '_zod' in schema) return undefined;
	if (!('_def' in schema)) return schema;
	if (!isRecord(schema._def) || !('typeName' in schema._def)) return undefined;
	// Loaded here, not when n8n starts: it is larger than all the nodes together, and few workflows need it.
	const { zodToJsonSchema } = await import('zod-to-json-schema');
	const zodSchema = schema as unknown as Parameters<typeof zodToJsonSchema>[0];
	const { $schema: _, ...converted } = zodToJsonSchema(zodSchema, { $refStrategy: 'none' }) as Record<
		string,
		unknown
	>;
	return converted;
}
