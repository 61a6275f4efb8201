import type { ContractValidation } from '../../emulator/ContractValidation';

export type Schema = Record<string, unknown>;

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a schema of the contract. A reference is followed to the schema that it names. */
export function resolve(contract: ContractValidation, node: unknown): Schema {
	if (!isRecord(node)) return {};
	if (typeof node.$ref !== 'string') return node;
	return resolve(contract, contract.document.components.schemas[node.$ref.split('/').at(-1) ?? '']);
}

/** Returns the variant of a schema that the field `type` of the value names, or undefined for a schema without variants. */
export function variantOf(
	contract: ContractValidation,
	{ discriminator }: Schema,
	value: unknown,
): Schema | undefined {
	if (!isRecord(discriminator) || !isRecord(value)) return undefined;
	const mapping = discriminator.mapping as Record<string, string>;
	return resolve(contract, { $ref: mapping[String(value.type)] });
}

/** Returns the names of the schemas of all request bodies. */
export function requestSchemas(contract: ContractValidation): string[] {
	return Object.values(contract.document.paths)
		.flatMap((methods) => Object.values(methods))
		.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
		.map((content) => (content as { schema: { $ref: string } }).schema.$ref.split('/').at(-1) ?? '');
}
