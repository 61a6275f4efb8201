import type { ContractOperation } from './ContractValidation';
import { badRequest, documentedResponse, type EmulatedResponse } from './EmulatedResponse';
import { HANDLERS } from './handlers';
import type { RateLimiter } from './RateLimiter';
import type { RecordedRequest } from './RecordedRequest';
import type { ServiceState } from './ServiceState';

/** Describes the state on which the response to a request depends. */
interface Circumstances {
	apiKey: string;
	state: ServiceState;
	limiter: RateLimiter | undefined;
}

/** Describes a request, and the operation that its path and method belong to. */
export interface Arrival {
	request: RecordedRequest;
	/** The operation is undefined if the contract has no such path and method. */
	operation: ContractOperation | undefined;
	/** Holds the decoded path parameters. */
	parameters: Record<string, string>;
	/** Says why the body could not be read. It is undefined if it could be. */
	unreadable?: string;
}

/**
 * Makes the normal response: checks the key, the path, the rate limit and the contract, in this order, and then calls the handler
 * of the operation.
 */
export async function respond(arrival: Arrival, circumstances: Circumstances): Promise<EmulatedResponse> {
	const { request, operation } = arrival;
	const { apiKey, limiter } = circumstances;
	if (bearerOf(request) !== apiKey) return documentedResponse(401);
	if (operation === undefined) return documentedResponse(404);
	if (limiter === undefined) return await respondToKnown(arrival, operation, circumstances);

	const nowMs = performance.timeOrigin + performance.now();
	const waitMs = limiter.take(nowMs);
	if (waitMs > 0) return limiter.refusal(waitMs);
	const response = await respondToKnown(arrival, operation, circumstances);
	limiter.spend(response.tokens ?? 0, nowMs);
	return response;
}

function bearerOf({ headers }: RecordedRequest): string | undefined {
	return /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1];
}

async function respondToKnown(
	{ request, parameters, unreadable }: Arrival,
	operation: ContractOperation,
	{ state }: Circumstances,
): Promise<EmulatedResponse> {
	const query = /\?([^=&]+)/.exec(request.path);
	if (query !== null) return badRequest(`query parameter ${query[1]} is not a known field`);
	const pathViolation = operation.violationOfPath(parameters);
	if (pathViolation !== undefined) return badRequest(pathViolation.message);

	let body: unknown;
	if (operation.requestTypes.length === 0) {
		if (request.rawBody.length > 0) return badRequest('body must be empty');
	} else {
		const mediaType = mediaTypeOf(request);
		if (!operation.requestTypes.includes(mediaType)) {
			return badRequest(`content type ${mediaType || '(none)'} is not accepted`);
		}
		if (unreadable !== undefined) return badRequest(`body ${unreadable}`);
		const [repeated] = request.multipart?.repeated ?? [];
		if (repeated !== undefined) return badRequest(`${repeated} must be given once`);
		body = request.multipart ? partsOf(request) : request.body;
		const violation = operation.violationOfBody(mediaType, body);
		if (violation !== undefined) return badRequest(violation.message, violation.unknownModel ? 20012 : null);
	}
	return await HANDLERS[operation.id]({ request, body, parameters }, state);
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
