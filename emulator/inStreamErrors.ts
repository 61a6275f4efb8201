import type { FaultPiece } from './Fault';

/** Errors in the middle of a stream that began well, for a fault's `append` after `keep`. */
export const IN_STREAM_ERRORS = {
	/** A named event with an error of Anthropic's form. */
	namedEvent: {
		bytes:
			'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
	},
	/** A chunk of a chat with an error of OpenAI's form. */
	chunk: { bytes: 'data: {"error":{"type":"server_error","message":"The model stopped"}}\n\n' },
	/** A chunk with the service's own code and message. */
	envelope: { bytes: 'data: {"code":50505,"message":"The model service is overloaded.","data":null}\n\n' },
} satisfies Record<string, FaultPiece>;
