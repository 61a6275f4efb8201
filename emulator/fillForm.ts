import type { Question } from '../contract/types';
import type { Decider } from './Decider';
import { objectsIn } from './objectsIn';

/** Describes a JSON Schema. */
export type Schema = Record<string, unknown>;

/** Describes the source of the values in a form. */
interface Source {
	/** Holds the text that the user wrote. */
	text: string;
	/** Holds the results of tools, as JSON. A field of the form takes the value of a field with its name. */
	known?: readonly unknown[];
	decide: Decider;
}

/** Finds the JSON Schema that a prompt asks for: the last one in it, else one made of the names that it quotes before a colon. */
export function formIn(prompt: string): Schema {
	const schema = objectsIn(prompt).findLast(({ properties }) => isSchema(properties));
	const fields = [...prompt.matchAll(/"([^"\n]+)"\s*:\s*([^\n]*)/g)].map(([, name, description = '']) => {
		return [name, { type: /\btrue\b/.test(description) ? 'boolean' : 'string', description }];
	});
	return schema ?? { properties: Object.fromEntries(fields.length > 0 ? fields : [['answer', {}]]) };
}

/** Makes an object with the required fields of a schema, or with all its fields if it does not say which are required. */
export async function fillForm(form: Schema, source: Source): Promise<Record<string, unknown>> {
	const all = Object.entries(isSchema(form.properties) ? form.properties : {});
	const properties = all.filter((field): field is [string, Schema] => {
		return isSchema(field[1]) && (!Array.isArray(form.required) || form.required.includes(field[0]));
	});
	const answers = await source.decide({
		state: source.text,
		questions: Object.fromEntries(properties.flatMap(([name, schema]) => questionsFor(name, schema))),
	});
	const values = properties.map(async ([name, schema]) => {
		const answer = answers[name];
		const decided =
			answer?.type === 'noul'
				? answer.noul >= 0.5
				: answer?.type === 'choice'
					? (schema.enum as unknown[]).find((value) => String(value) === answer.choice)
					: undefined;
		return [name, knownField(name, schema, source) ?? decided ?? (await plainValue(schema, source))];
	});
	const fields = Object.fromEntries(await Promise.all(values)) as Record<string, unknown>;
	// In the schema of n8n's Text Classifier, the field `fallback` is for a text that belongs to no class.
	if ('fallback' in fields) {
		fields.fallback = !Object.entries(fields).some(([name, value]) => name !== 'fallback' && value === true);
	}
	return fields;
}

function isSchema(value: unknown): value is Schema {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the question that decides the value of a field, or none if no question can decide it. */
function questionsFor(name: string, { type, description, enum: values }: Schema): Array<[string, Question]> {
	const instructions = typeof description === 'string' ? description : name;
	if (Array.isArray(values)) {
		const criteria = Object.fromEntries(values.map((value) => [String(value), '']));
		return [[name, { type: 'choice', instructions, criteria }]];
	}
	return type === 'boolean' ? [[name, { type: 'noul', instructions }]] : [];
}

/** Returns the value of a known field that has the name or begins with it, such as `urgent_yes` for `urgent`. */
function knownField(name: string, { type, enum: values }: Schema, { known }: Source): unknown {
	const found: unknown[] = [];
	JSON.parse(JSON.stringify(known ?? []), (key, value: unknown) => {
		if (`${key}_`.startsWith(`${name}_`) && typeof value === type) found.push(value);
		return value;
	});
	return found.find((value) => !Array.isArray(values) || values.includes(value));
}

async function plainValue(schema: Schema, source: Source): Promise<unknown> {
	if ('const' in schema) return schema.const;
	if ('default' in schema) return schema.default;
	if (isSchema(schema.properties)) return await fillForm(schema, source);
	const { minimum = 0, maxLength } = schema as { minimum?: number; maxLength?: number };
	switch ([schema.type].flat()[0]) {
		case 'number':
		case 'integer':
			return minimum;
		case 'array':
			return [];
		case 'object':
			return {};
		case 'null':
			return null;
		default:
			return source.text.slice(0, maxLength);
	}
}
