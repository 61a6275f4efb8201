import {
	bytesResponse,
	documentedResponse,
	type EmulatedResponse,
	jsonResponse,
	type Piece,
	sizeOf,
} from './EmulatedResponse';
import type { Fault, FaultPiece, FaultPoint, FaultResponse } from './Fault';
import type { RecordedRequest } from './RecordedRequest';

/** Returns the response that replaces the normal one. It returns undefined if the normal one is kept. */
export function replacementFor(fault: Fault, request: RecordedRequest): EmulatedResponse | undefined {
	if (fault.stream !== undefined) {
		return {
			status: fault.status ?? 200,
			headers: lowerCased({ 'content-type': 'text/event-stream; charset=utf-8', ...fault.headers }),
			pieces: fault.stream.map(toPiece),
			sized: false,
			end: fault.end ?? 'close',
			withHead: true,
		};
	}
	const given =
		fault.respond?.(request) ?? (fault.status === undefined ? undefined : { ...fault, status: fault.status });
	if (given === undefined) return undefined;
	const response = bodyResponse(given);
	return { ...response, headers: { ...response.headers, ...lowerCased(given.headers) } };
}

export function applyFault(fault: Fault, original: EmulatedResponse): EmulatedResponse {
	let response = { ...original, headers: { ...original.headers, ...lowerCased(fault.headers) } };
	const change = (pieces: Piece[]) => {
		response = { ...response, pieces };
	};
	if (fault.truncate === true) change(firstHalf(response.pieces));
	if (fault.split !== undefined) change(splitAt(response.pieces, fault.split, fault.splitDelayMs));
	if (fault.cut !== undefined) response = stoppedAt(response, fault.cut, 'cut');
	if (fault.stall !== undefined) response = stoppedAt(response, fault.stall, 'stall');
	return response;
}

function toPiece({ bytes, ...piece }: FaultPiece): Piece {
	return { ...piece, bytes: Buffer.from(bytes) };
}

function bodyResponse({ status, body }: FaultResponse): EmulatedResponse {
	if (body === undefined) return documentedResponse(status);
	if (typeof body === 'string') return bytesResponse(status, 'text/plain; charset=utf-8', Buffer.from(body));
	if (Buffer.isBuffer(body)) return bytesResponse(status, undefined, body);
	return jsonResponse(status, body);
}

function lowerCased(headers: EmulatedResponse['headers'] = {}): EmulatedResponse['headers'] {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function singly(pieces: Piece[]): Piece[] {
	return pieces.flatMap(({ times = 1, ...piece }) => Array.from({ length: times }, () => piece));
}

function firstHalf(pieces: Piece[]): Piece[] {
	let left = Math.ceil(sizeOf(pieces) / 2);
	const kept: Piece[] = [];
	for (const piece of singly(pieces)) {
		if (left <= 0) break;
		kept.push({ ...piece, bytes: piece.bytes.subarray(0, left) });
		left -= piece.bytes.length;
	}
	return kept;
}

function splitAt(pieces: Piece[], split: number[] | 'every-byte', delayMs: number | undefined): Piece[] {
	const all = Buffer.concat(singly(pieces).map(({ bytes }) => bytes));
	const offsets =
		split === 'every-byte'
			? Array.from(all.keys())
			: [...new Set([0, ...split])].filter((at) => at >= 0 && at < all.length).sort((a, b) => a - b);
	return offsets.map((from, index) => ({
		bytes: all.subarray(from, offsets[index + 1]),
		...(index > 0 && delayMs !== undefined && { delayMs }),
	}));
}

function stoppedAt(response: EmulatedResponse, point: FaultPoint, end: 'cut' | 'stall'): EmulatedResponse {
	return {
		...response,
		pieces: point === 'mid-body' ? firstHalf(response.pieces) : [],
		withHead: point !== 'before-headers',
		sized: false,
		end,
	};
}
