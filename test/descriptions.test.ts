import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers, type INodeProperties } from 'n8n-workflow';
import { parse } from 'yaml';

import { credentialTypes, nodeTypes } from './runNode';

/**
 * What saved workflows depend on. A name, a value or a default that changes here breaks them; labels and help texts
 * are left out, because they may change.
 */
function stored(property: INodeProperties): object {
	const options = property.options?.map((option) => {
		if ('values' in option) return { name: option.name, values: option.values.map(stored) };
		return 'type' in option ? stored(option) : option.value;
	});
	return {
		name: property.name,
		type: property.type,
		default: property.default,
		...(options ? { options } : {}),
		...(property.displayOptions ? { displayOptions: property.displayOptions } : {}),
	};
}

describe.each(Object.entries(nodeTypes))('%s', (name, { description }) => {
	test('stores the same names, values and defaults as ever', () => {
		expect(description.properties.map(stored)).toMatchSnapshot();
	});

	test('is what every node of the package is', () => {
		expect(description).toMatchObject({
			name: name.split('.')[1],
			version: 1,
			usableAsTool: true,
			subtitle: expect.stringContaining('$parameter'),
			icon: { light: expect.stringMatching(/\.svg$/), dark: expect.stringMatching(/dark\.svg$/) },
			credentials: [{ name: 'inferenceServiceApi', required: true }],
		});
	});

	test('has no two visible parameters of one name', () => {
		const operations =
			description.properties.find((property) => property.name === 'operation')?.options ?? [];
		for (const operation of operations) {
			const parameters = { operation: 'value' in operation ? operation.value : '' };
			const node = {
				name: 'x',
				id: '1',
				type: name,
				typeVersion: 1,
				position: [0, 0] as [number, number],
				parameters,
			};
			const shown = description.properties.filter((property) =>
				NodeHelpers.displayParameter(parameters, property, node, description),
			);
			const names = shown.map((property) => property.name);
			expect(names).toEqual([...new Set(names)]);
		}
	});
});

test('the credential stores the same names and defaults as ever', () => {
	expect(credentialTypes.inferenceServiceApi.properties.map(stored)).toMatchSnapshot();
});

describe('limits shown in fields are those of the contract', () => {
	const { schemas } = (
		parse(readFileSync(join(__dirname, '..', 'contract', 'openapi.yaml'), 'utf8')) as OpenApi
	).components;
	const text = (type: string) =>
		JSON.stringify(nodeTypes[`n8n-nodes-inference-service.${type}`]!.description);

	test('levels of a score', () => {
		const { minItems, maxItems } = schemas.ScoreQuestion!.properties.criteria!;
		expect(text('decision')).toContain(`${minItems} to ${maxItems} levels of the scale`);
	});

	test('the model of decisions', () => {
		expect(text('decision')).toContain(
			`"name":"model","type":"string","default":"${schemas.DecisionRequest!.properties.model!.default}"`,
		);
	});
});

interface OpenApi {
	components: {
		schemas: Record<
			string,
			{ properties: Record<string, { minItems?: number; maxItems?: number; default?: string }> }
		>;
	};
}
