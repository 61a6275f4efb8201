import type { FaultPiece, FaultResponse } from './Fault';

/**
 * Responses that the service document does not show and that services, frameworks and gateways of this kind give,
 * each to be set as a fault.
 */
export const FOREIGN_RESPONSES = {
	/** A FastAPI service that does not like the body. */
	detailList: {
		status: 422,
		body: { detail: [{ type: 'missing', loc: ['body', 'model'], msg: 'Field required', input: {} }] },
	},
	/** A list of errors. */
	errorsList: {
		status: 400,
		body: { errors: [{ message: 'model is required' }, { message: 'state is empty' }] },
	},
	/** The documented body, its code as text. */
	codeAsText: { status: 400, body: { code: '20012', message: 'Model does not exist.', data: null } },
	/** An error inside an object, as OpenAI and Anthropic send it. */
	nestedError: {
		status: 400,
		body: { type: 'error', error: { type: 'invalid_request_error', message: 'model is required' } },
	},
	/** An error status whose body is an event stream. */
	eventStreamError: {
		status: 503,
		headers: { 'content-type': 'text/event-stream' },
		body: Buffer.from('event: error\ndata: {"code":50505,"message":"The model service is overloaded."}\n\n'),
	},
	/** A gateway's own page. */
	gatewayPage: {
		status: 502,
		headers: { 'content-type': 'text/html' },
		body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
	},
	/** A failure with status 200, in the service's own envelope. */
	failureEnvelope: {
		status: 200,
		body: { code: 30001, message: 'The audio is too short', status: false, data: null },
	},
	/** A failure with status 200, as OpenAI and Anthropic write errors. */
	errorEnvelope: { status: 200, body: { error: { type: 'overloaded_error', message: 'Overloaded' } } },
	/** Nothing that was asked for, with status 200. */
	emptyObject: { status: 200, body: {} },
} satisfies Record<string, FaultResponse>;

/** Errors in the middle of a stream that began well, for a fault's `append` after `keep`. */
export const IN_STREAM_ERRORS = {
	/** As a named event, with an error of Anthropic's form. */
	namedEvent: {
		bytes:
			'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
	},
	/** As a chunk of a chat, with an error of OpenAI's form. */
	chunk: { bytes: 'data: {"error":{"type":"server_error","message":"The model stopped"}}\n\n' },
	/** As a chunk with the service's own code and message. */
	envelope: { bytes: 'data: {"code":50505,"message":"The model service is overloaded.","data":null}\n\n' },
} satisfies Record<string, FaultPiece>;
