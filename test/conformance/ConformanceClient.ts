import { Agent, type Dispatcher, FormData } from 'undici';

import { contract, type ContractOperation, type OperationId } from '../../emulator/ContractValidation';

export interface ServiceResponse {
	status: number;
	headers: Dispatcher.ResponseData['headers'];
	mediaType: string;
	text: string;
	/** Holds the parsed JSON, or the text if it is not JSON. */
	body: unknown;
}

/** Describes the parts in which a request differs from the regular one. */
export interface SendOptions {
	headers?: Record<string, string | undefined>;
	parameters?: Record<string, string>;
	/** A string is sent unchanged, a form as multipart/form-data, and anything else as JSON. */
	body?: unknown;
}

/** Sends requests to a service, and checks every response against the contract. */
export class ConformanceClient {
	/** Holds the operations that have been answered with 200. */
	readonly succeeded = new Set<OperationId>();

	private readonly agent = new Agent();

	constructor(
		private readonly baseUrl: string,
		private readonly apiKey: string,
	) {}

	/** Sends a request of an operation. Throws if the response does not meet the contract. */
	async send(operationId: OperationId, options: SendOptions = {}): Promise<ServiceResponse> {
		const operation = contract().operation(operationId);
		const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
			encodeURIComponent(options.parameters?.[name] ?? ''),
		);
		const response = await this.sendTo(operation.method, path, options);
		assertConforming(operation, response);
		if (response.status === 200) this.succeeded.add(operationId);
		return response;
	}

	/** Sends a request to any path, without checking anything against the contract. */
	async sendTo(method: string, path: string, options: SendOptions = {}): Promise<ServiceResponse> {
		const { origin, pathname } = new URL(this.baseUrl);
		const { body } = options;
		const isForm = body instanceof FormData;
		const headers = Object.entries({
			authorization: `Bearer ${this.apiKey}`,
			'content-type': body === undefined || isForm ? undefined : 'application/json',
			...options.headers,
		}).filter((header): header is [string, string] => header[1] !== undefined);
		const response = await this.agent.request({
			origin,
			path: pathname + path,
			method,
			headers: Object.fromEntries(headers),
			body: isForm || typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body),
		});
		const text = await response.body.text();
		return {
			status: response.statusCode,
			headers: response.headers,
			mediaType: String(response.headers['content-type'] ?? '').split(';')[0] ?? '',
			text,
			body: parsedOr(text),
		};
	}

	async close(): Promise<void> {
		await this.agent.close();
	}
}

function parsedOr(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch (error) {
		if (error instanceof SyntaxError) return text;
		throw error;
	}
}

function assertConforming(operation: ContractOperation, response: ServiceResponse): void {
	const violation = operation.violationOfResponse(response.status, response.mediaType, response.body);
	if (violation !== undefined) {
		throw new Error(
			`${operation.id} answered ${response.status} ${response.mediaType}: ${violation.message}\n${response.text.slice(0, 500)}`,
		);
	}
}

export interface StreamEvent {
	name: string | undefined;
	data: string;
}

/** Parses a complete event stream in which the data of each event has one line. */
export function eventsIn(text: string): StreamEvent[] {
	return text
		.split(/\r?\n\r?\n/)
		.filter((block) => block.trim() !== '')
		.map((block) => ({
			name: /^event: ?(.*)$/m.exec(block)?.[1],
			data: /^data: ?(.*)$/m.exec(block)?.[1] ?? '',
		}));
}
