import { isRecord } from '../../../client/isRecord';

/**
 * The JSON Schema of a tool's input, as n8n gives it: undefined for no input, a schema of Zod, or a JSON schema.
 * @returns undefined for a schema of another kind
 */
export async function toJsonSchema(schema: unknown): Promise<Record<string, unknown> | undefined> {
	if (schema === undefined || schema === null) return { type: 'object', properties: {} };
	if (isRecord(schema) && isRecord(schema._def) && 'typeName' in schema._def) {
		// Loaded here, not when n8n starts: it is larger than all the nodes together, and few workflows need it.
		const { zodToJsonSchema } = await import('zod-to-json-schema');
		const { $schema: _, ...converted } = zodToJsonSchema(
			schema as unknown as Parameters<typeof zodToJsonSchema>[0],
			{
				$refStrategy: 'none',
			},
		) as Record<string, unknown>;
		return converted;
	}
	if (isRecord(schema) && !('_def' in schema) && !('_zod' in schema)) return schema;
	return undefined;
}
