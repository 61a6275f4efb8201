import { type Answer, badRequest, documentedAnswer } from './Answer';
import type { ContractOperation } from './contractValidation';
import { operations, type Service } from './operations';
import type { TokenBucket } from './rateLimit';
import type { RecordedRequest } from './RecordedRequest';

/** What a request is answered from. */
export interface Circumstances {
	apiKey: string;
	service: Service;
	bucket: TokenBucket | undefined;
	/** Top-level fields of a body that are passed over although the contract does not show them. */
	extraFields: readonly string[];
}

/** A request, and where it leads. */
export interface Arrival {
	request: RecordedRequest;
	/** Undefined when no path and method of the contract fits. */
	operation: ContractOperation | undefined;
	/** Decoded path parameters. */
	parameters: Record<string, string>;
	/** Why the body could not be read, if so. */
	unreadable?: string;
}

function mediaTypeOf(request: RecordedRequest): string {
	return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function partsOf({ multipart }: RecordedRequest): Record<string, unknown> {
	const files = multipart?.files.map(({ field, fileName, mimeType, size }): [string, object] => [
		field,
		{ fileName, mimeType, size },
	]);
	return { ...multipart?.fields, ...Object.fromEntries(files ?? []) };
}

function withoutExtraFields(body: unknown, extraFields: readonly string[]): unknown {
	if (extraFields.length === 0 || typeof body !== 'object' || body === null || Array.isArray(body))
		return body;
	return Object.fromEntries(Object.entries(body).filter(([name]) => !extraFields.includes(name)));
}

function answerValid(
	{ request, parameters, unreadable }: Arrival,
	operation: ContractOperation,
	{ service, extraFields }: Circumstances,
): Answer {
	const query = /\?([^=&]+)/.exec(request.path);
	if (query !== null) return badRequest(`query parameter ${query[1]} is not a known field`);
	const pathViolation = operation.violationOfPath(parameters);
	if (pathViolation !== undefined) return badRequest(pathViolation.message);

	let body: unknown;
	if (operation.requestTypes.length === 0) {
		if (request.rawBody.length > 0) return badRequest('body must be empty');
	} else {
		const mediaType = mediaTypeOf(request);
		if (!operation.requestTypes.includes(mediaType))
			return badRequest(`content type ${mediaType || '(none)'} is not accepted`);
		if (unreadable !== undefined) return badRequest(`body ${unreadable}`);
		const [repeated] = request.multipart?.repeated ?? [];
		if (repeated !== undefined) return badRequest(`${repeated} must be given once`);
		body = withoutExtraFields(request.multipart ? partsOf(request) : request.body, extraFields);
		const violation = operation.violationOfBody(mediaType, body);
		if (violation !== undefined) return badRequest(violation.message, violation.unknownModel ? 20012 : null);
	}
	return operations[operation.id]({ request, body, parameters }, service);
}

/** The normal answer: checks the key, the path, the rate limit and the contract, in this order, then behaves. */
export function respond(arrival: Arrival, circumstances: Circumstances): Answer {
	const { request, operation } = arrival;
	const { apiKey, service, bucket } = circumstances;
	if (request.headers.authorization !== `Bearer ${apiKey}`)
		return documentedAnswer(401, service.plainStrings);
	if (operation === undefined) return documentedAnswer(404, service.plainStrings);
	return bucket?.take(performance.now()) ?? answerValid(arrival, operation, circumstances);
}
