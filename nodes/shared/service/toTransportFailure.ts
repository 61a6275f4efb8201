import { TransportFailure } from '../../../client/Transport';

/** A retry cannot fix errors with these codes: an unknown host, an untrusted certificate, incompatible TLS. */
const LASTING_CODE =
	/^(ENOTFOUND|ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_INVALID_URL)/;

/** fetch says this of a port that the Fetch standard forbids. This error has no code. */
const BLOCKED_PORT = 'bad port';

/**
 * These are the codes of a response that is not valid HTTP. Those with `HPE_` come from the parser of Node's own HTTP client, the
 * others from fetch: its head is too long, or it has two lengths.
 */
const BROKEN_CODE = /^(HPE_|UND_ERR_HEADERS_OVERFLOW$|UND_ERR_RES_CONTENT_LENGTH_MISMATCH$)/;

/**
 * By these messages, fetch tells of responses whose code says too little. In Node 24, malformed HTTP has no code at all. The statuses
 * 100 and 101, which nobody asked for, have the code of a connection that was closed.
 */
const BROKEN_MESSAGE = /^(Response does not match|bad response|bad upgrade)/;

const NO_TLS = 'A secure connection (https) cannot be established';

/** OpenSSL says this if a server answers in plain HTTP. */
const PLAIN_ANSWER = /wrong.version.number|packet.length.too.long/i;

const PLAIN_SERVER = `${NO_TLS}: the server seems to speak only http at this port. Begin the base URL with http://, or correct its port`;

/** A person can read only the last part of an error of OpenSSL: \`…:error:0A00010B:SSL routines:…:wrong version number:…\` */
const OPENSSL_REASON = /:error:[^:]*:[^:]*:[^:]*:([^:]+)/;

/** Error codes of the operating system and of TLS are told in these plain words. */
const MEANINGS: Array<[code: RegExp, meaning: string]> = [
	[/^ECONNREFUSED$/, 'Nothing accepts connections at this address'],
	[/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'The connection was closed before there was a response'],
	[/^(ENOTFOUND|EAI_AGAIN)$/, 'The host name cannot be found'],
	[/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/, 'The host cannot be reached'],
	[/^(EPROTO$|ERR_SSL_|ERR_TLS_)/, NO_TLS],
	[/^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/, "The host's certificate is not trusted"],
];

/**
 * These are the codes of failures to connect. Some of them also occur on an established connection, over which a request may have
 * been sent.
 */
const UNCONNECTED_CODE =
	/^(ECONNREFUSED|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

/** The messages of errors on an established connection begin like this, such as "read ETIMEDOUT". */
const ESTABLISHED_MESSAGE = /^(read|write) /;

/** Describes what the HTTP stack or the operating system says about a failure. */
export interface FailureReason {
	message: string;
	code?: string | undefined;
}

/**
 * Turns what the HTTP stack says about a failure into one that says whether a retry may help.
 * @param hasBegun whether a byte of the response had arrived. Undefined if that is unknown: then the failure counts as that of a
 * response that had begun, because a request that is billed must not be sent again.
 */
export function toTransportFailure(reason: FailureReason, hasBegun: boolean | undefined): TransportFailure {
	const { message, code = '' } = reason;
	const quote = quoteOf(reason);
	const meaning = meaningOf(reason);
	if (message === BLOCKED_PORT || LASTING_CODE.test(code)) {
		return new TransportFailure('unreachable', meaning, false, quote);
	}
	if (UNCONNECTED_CODE.test(code) && !ESTABLISHED_MESSAGE.test(message)) {
		return new TransportFailure('network', meaning, true, quote);
	}
	if (hasBegun === true || BROKEN_CODE.test(code) || BROKEN_MESSAGE.test(message)) {
		return new TransportFailure('broken', 'A response had begun, but it cannot be read', false, quote);
	}
	return hasBegun === false
		? new TransportFailure('network', meaning, false, quote)
		: new TransportFailure(
				'broken',
				'The connection was closed before the response was complete',
				false,
				quote,
			);
}

export function toBodyFailure(reason: FailureReason): TransportFailure {
	return new TransportFailure('broken', quoteOf(reason));
}

/** Makes the failure of a request that n8n's rules for outgoing requests do not allow. */
export function blocked(reason: string): TransportFailure {
	return new TransportFailure('blocked', 'n8n refused the request before it was sent', false, reason);
}

function meaningOf({ message, code = '' }: FailureReason): string {
	if (PLAIN_ANSWER.test(`${code} ${message}`)) return PLAIN_SERVER;
	return MEANINGS.find(([codes]) => codes.test(code))?.[1] ?? 'The connection failed';
}

function quoteOf({ message, code }: FailureReason): string {
	const plain = OPENSSL_REASON.exec(message)?.[1];
	return plain === undefined ? message || code || 'no reason given' : `${code ?? 'OpenSSL'}: ${plain}`;
}
