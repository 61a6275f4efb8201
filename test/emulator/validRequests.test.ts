import { contract } from '../../emulator/ContractValidation';
import { ACCEPTED_MODELS } from '../../emulator/Emulator';
import { missingFields } from '../support/missingFields';
import { requestSchemas } from '../support/schemas';
import { validRequests } from '../support/validRequests';

const MODEL = ACCEPTED_MODELS[0] ?? '';

describe('the valid requests, from which the invalid ones are derived,', () => {
	const bodies = Object.entries(validRequests(MODEL));

	test('are one of each schema of a request in the contract', () => {
		expect(bodies.map(([schema]) => schema).sort()).toEqual(requestSchemas(contract()).sort());
	});

	test.each(bodies)('are accepted by the contract: %s', (schema, body) => {
		expect(contract().violationOfSchema(schema, body)).toBeUndefined();
	});

	test.each(bodies)('have every field of the schema: %s', (schema, body) => {
		expect(missingFields(contract(), schema, body)).toEqual([]);
	});
});

test('missingFields names each field that a body lacks, also one within a list', () => {
	const { max_tokens: _, ...body } = validRequests(MODEL).MessageRequest as Record<string, unknown>;
	const messages = [...(body.messages as object[]), { content: 'Hi' }];
	const missing = missingFields(contract(), 'MessageRequest', { ...body, messages });
	expect(missing).toContain('max_tokens');
	expect(missing).toContain(`messages.${messages.length - 1}.role`);
});
