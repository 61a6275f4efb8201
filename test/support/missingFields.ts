import type { ContractValidation } from '../../emulator/ContractValidation';
import { isRecord, resolve, variantOf } from './schemas';

type Path = (string | number)[];

/** Returns the fields of a schema that a body lacks, at any depth. */
export function missingFields(contract: ContractValidation, schemaName: string, body: unknown): string[] {
	const missingAt = (node: unknown, value: unknown, path: Path): string[] => {
		const general = resolve(contract, node);
		const schema = variantOf(contract, general, value) ?? general;
		if (Array.isArray(value)) {
			return value.flatMap((item, index) => missingAt(schema.items, item, [...path, index]));
		}
		if (!isRecord(value)) return [];
		const properties = isRecord(schema.properties) ? schema.properties : {};
		return [
			...Object.keys(properties)
				.filter((name) => !Object.hasOwn(value, name))
				.map((name) => [...path, name].join('.')),
			...Object.entries(value).flatMap(([name, child]) =>
				missingAt(properties[name] ?? schema.additionalProperties, child, [...path, name]),
			),
		];
	};
	return missingAt({ $ref: `#/components/schemas/${schemaName}` }, body, []);
}
