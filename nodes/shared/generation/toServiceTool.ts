import { isRecord } from '../../../client/values/records';
import type { Tool } from '../../../contract/types';
import { ParameterError } from '../fields/ParameterError';

/**
 * Converts a tool that n8n offers a model into the service's format.
 * @param schema the schema of the tool's input: undefined or null for no input, a Zod 3 schema, or a JSON schema
 * @throws ParameterError with the tool's name, for any other schema
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
	// This library is loaded only when it is needed: it is larger than all the nodes together, and few workflows need it.
	const { zodToJsonSchema } = await import('zod-to-json-schema');
	const zodSchema = schema as unknown as Parameters<typeof zodToJsonSchema>[0];
	const { $schema: _, ...converted } = zodToJsonSchema(zodSchema, { $refStrategy: 'none' }) as Record<
		string,
		unknown
	>;
	return converted;
}
