import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { parse } from 'yaml';

import type { operations } from '../contract/types';

const DOCUMENT_FILE = resolve(__dirname, '../contract/openapi.yaml');

export type OperationId = keyof operations;

/** Says why a request or response does not meet the contract. */
interface Violation {
	/** Names the field and the rule. */
	message: string;
	unknownModel: boolean;
}

/** Describes one operation of the OpenAPI document. */
export interface ContractOperation {
	id: OperationId;
	method: string;
	/** Holds the path template, without the version prefix. */
	path: string;
	/** Holds the media types of the request's body. It is empty if the request has no body. */
	requestTypes: string[];
	/** Checks a parsed body, in which each file of a multipart body is represented by an object. */
	violationOfBody(mediaType: string, body: unknown): Violation | undefined;
	/** Checks the decoded path parameters. */
	violationOfPath(parameters: Record<string, string>): Violation | undefined;
	/** Checks a response body. It returns undefined if the body conforms. */
	violationOfResponse(status: number, mediaType: string, body: unknown): Violation | undefined;
}

let shared: ContractValidation | undefined;

/** Returns the contract. It is read and compiled only once, for all emulators of the process. */
export function contract(): ContractValidation {
	shared ??= new ContractValidation();
	return shared;
}

/** Represents the OpenAPI document, ready to check requests and responses. */
export class ContractValidation {
	readonly operations: ContractOperation[];

	/** Holds the parsed document, without the changes that Ajv needs. */
	readonly document: OpenApiDocument;

	private readonly ajv = new Ajv2020({
		strict: true,
		allowUnionTypes: true,
		strictRequired: false,
		discriminator: true,
		validateFormats: false,
	});

	private readonly compiled = new Map<string, ValidateFunction>();

	constructor() {
		this.document = parse(readFileSync(DOCUMENT_FILE, 'utf8')) as OpenApiDocument;
		this.ajv.addVocabulary(['x-assumption', ...Object.keys(this.document)]);
		this.ajv.addSchema(forAjv(this.document) as object, 'contract');
		this.operations = Object.entries(this.document.paths).flatMap(([path, methods]) =>
			Object.entries(methods).map(([method, operation]) => this.operationOf(path, method, operation)),
		);
	}

	/** Returns the operation with this `operationId`. Throws if there is none. */
	operation(id: OperationId): ContractOperation {
		const found = this.operations.find((operation) => operation.id === id);
		if (found === undefined) throw new Error(`The contract has no operation ${id}`);
		return found;
	}

	/** Checks a value against `components.schemas[name]`. */
	violationOfSchema(name: string, value: unknown): Violation | undefined {
		return violationOf(this.validator(pointer('components', 'schemas', name)), value);
	}

	private validator(at: string): ValidateFunction {
		let validate = this.compiled.get(at);
		if (validate === undefined) {
			validate = this.ajv.compile({ $ref: `contract#${at}` });
			this.compiled.set(at, validate);
		}
		return validate;
	}

	private operationOf(path: string, method: string, operation: OpenApiOperation): ContractOperation {
		const at = ['paths', path, method];
		const requestTypes = Object.keys(operation.requestBody?.content ?? {});
		const bodies = new Map(
			requestTypes.map((type) => [
				type,
				this.validator(pointer(...at, 'requestBody', 'content', type, 'schema')),
			]),
		);
		const parameters = (operation.parameters ?? []).map(({ name, in: place }, index) => ({
			name: place === 'path' ? name : undefined,
			at: pointer(...at, 'parameters', String(index), 'schema'),
		}));
		return {
			id: operation.operationId,
			method: method.toUpperCase(),
			path,
			requestTypes,
			violationOfBody: (mediaType, body) => {
				const validate = bodies.get(mediaType);
				return validate ? violationOf(validate, body) : otherType(mediaType, 'accepted');
			},
			violationOfPath: (values) => {
				for (const { name, at: schema } of parameters) {
					const violation = name && violationOf(this.validator(schema), values[name]);
					if (violation) return { ...violation, message: violation.message.replace('body', name) };
				}
				return undefined;
			},
			violationOfResponse: (status, mediaType, body) => {
				const response = operation.responses[String(status)];
				if (response === undefined) return { message: `status ${status} is not shown`, unknownModel: false };
				const name = response.$ref?.split('/').at(-1);
				const content = (name === undefined ? response : this.document.components.responses[name])?.content;
				if (content === undefined) return undefined;
				if (!(mediaType in content)) return otherType(mediaType, 'shown');
				const place =
					name === undefined ? [...at, 'responses', String(status)] : ['components', 'responses', name];
				return violationOf(this.validator(pointer(...place, 'content', mediaType, 'schema')), body);
			},
		};
	}
}

function otherType(mediaType: string, wanted: string): Violation {
	return { message: `content type ${mediaType || '(none)'} is not ${wanted}`, unknownModel: false };
}

interface OpenApiParameter {
	$ref?: string;
	name?: string;
	in?: string;
}

interface OpenApiContent {
	content?: Record<string, unknown>;
	$ref?: string;
}

interface OpenApiOperation {
	operationId: OperationId;
	parameters?: OpenApiParameter[];
	requestBody?: OpenApiContent;
	responses: Record<string, OpenApiContent>;
}

interface OpenApiDocument {
	paths: Record<string, Record<string, OpenApiOperation>>;
	components: { responses: Record<string, OpenApiContent>; schemas: Record<string, unknown> };
}

// Changes the document for Ajv, which refuses a discriminator with a mapping, accepts values that are not objects under a
// discriminator, and does not know files. A part of `format: binary` must be an object, which represents the file.
function forAjv(node: unknown): unknown {
	if (Array.isArray(node)) return node.map(forAjv);
	if (typeof node !== 'object' || node === null) return node;
	const { discriminator, ...rest } = node as Record<string, unknown>;
	if (rest.format === 'binary') return { type: 'object' };
	const schema = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, forAjv(value)]));
	return typeof discriminator === 'object' && discriminator !== null && 'propertyName' in discriminator
		? { type: 'object', ...schema, discriminator: { propertyName: discriminator.propertyName } }
		: schema;
}

function pointer(...segments: string[]): string {
	return segments
		.map((segment) => '/' + encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1')))
		.join('');
}

function fieldOf(error: ErrorObject, child?: string): string {
	const segments = error.instancePath
		.split('/')
		.slice(1)
		.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
	return (child === undefined ? segments : [...segments, child]).join('.') || 'body';
}

function describe(error: ErrorObject): string {
	const params = error.params as Record<string, unknown>;
	switch (error.keyword) {
		case 'required':
			return `${fieldOf(error, String(params.missingProperty))} is required`;
		case 'additionalProperties':
			return `${fieldOf(error, String(params.additionalProperty))} is not a known field`;
		case 'enum':
			return `${fieldOf(error)} must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
		case 'const':
			return `${fieldOf(error)} must be ${String(params.allowedValue)}`;
		case 'discriminator':
			return params.tagValue === undefined
				? `${fieldOf(error, String(params.tag))} is required`
				: `${fieldOf(error, String(params.tag))} has no variant ${JSON.stringify(params.tagValue)}`;
		case 'anyOf':
			return `${fieldOf(error)} has none of the allowed forms`;
		default:
			return `${fieldOf(error)} ${error.message ?? 'is not valid'}`;
	}
}

function violationOf(validate: ValidateFunction, value: unknown): Violation | undefined {
	if (validate(value)) return undefined;
	const error = validate.errors?.at(-1);
	if (error === undefined) return { message: 'body is not valid', unknownModel: false };
	const unknownModel = error.instancePath === '/model' && ['enum', 'pattern'].includes(error.keyword);
	const message =
		error.instancePath === '/model' && error.keyword === 'pattern'
			? `model does not exist: ${String((value as { model: unknown }).model)}. A name has the form vendor/model_name`
			: describe(error);
	return { message, unknownModel };
}
