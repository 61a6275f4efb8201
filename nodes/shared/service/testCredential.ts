import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { readErrorResponse, reportedError } from '../../../client/response/errors';
import { maskKey } from '../../../client/response/maskKey';
import { parseJson } from '../../../client/values/parseJson';
import { isRecord } from '../../../client/values/records';
import { shorten } from '../../../client/values/shorten';
import type { Credential } from '../../../client/Transport';
import { errorMessage } from '../text/errorMessage';
import { nextStep } from '../text/nextStep';
import { checkDomain } from './createClient';
import { transportFailureOf, type FullResponse } from './n8nTransport';
import { readCredential } from '../../../credentials/readCredential';

const TIMEOUT_MS = 30_000;

/** The credential dialog shows the message in a small box. */
const MAX_MESSAGE_CHARS = 300;

/** The service's own message is shortened to this length, so that the advice after it fits too. */
const MAX_QUOTED_CHARS = MAX_MESSAGE_CHARS / 2;

const NOT_THE_SERVICE =
	'The request succeeded, but the response is not from the service. Check the base URL in the credential: it must include the version, /v1.';

const NOT_FOUND =
	'Check the base URL in the credential: it must include the version, /v1, and be spelled as the service documents it.';

/** Describes a response whose body has been read: text, or parsed JSON. */
type ReadResponse = Omit<FullResponse, 'body'> & { body?: unknown };

/**
 * This is the test that n8n runs when a credential is saved, on the first node that names it in `testedBy`. n8n's linter requires
 * every node to name it.
 */
export const credentialTest = {
	/**
	 * Tests a credential by reading the account. A server that has the same API but no accounts passes if it answers a request
	 * for its models. Only a message leaves this function, with the key masked.
	 */
	async testCredential(
		this: ICredentialTestFunctions,
		{ data: fields = {} }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		const { helpers } = this;
		let credential: Credential;
		try {
			credential = readCredential(fields);
			checkDomain(fields, credential.baseUrl);
		} catch (error) {
			return { status: 'Error', message: errorMessage(error) };
		}
		const { baseUrl, apiKey } = credential;
		try {
			const ask = async (path: string) => await get(helpers.request, credential, path);
			const account = await ask('/user/info');
			const models = account.statusCode === 404 ? await ask('/models') : undefined;
			if (models && isJsonAnswer(models)) return resultOf(undefined);
			// A server without accounts may check the key only when it lists models, so its 401 or 403 is the one to report.
			const isRefused = models?.statusCode === 401 || models?.statusCode === 403;
			return resultOf(problemOf(isRefused ? models : account, credential));
		} catch (error) {
			// The error itself is dropped, because it holds the request's headers.
			const reason = maskKey(reasonOf(error, new URL(baseUrl)), apiKey);
			return resultOf(shorten(reason, MAX_MESSAGE_CHARS));
		}
	},
};

/** Returns a new object each time, because n8n replaces the message in it. */
function resultOf(problem: string | undefined): INodeCredentialTestResult {
	return problem === undefined
		? { status: 'OK', message: 'Connection successful!' }
		: { status: 'Error', message: problem };
}

async function get(
	request: ICredentialTestFunctions['helpers']['request'],
	{ baseUrl, apiKey }: Credential,
	path: string,
): Promise<ReadResponse> {
	return (await request({
		method: 'GET',
		uri: baseUrl + path,
		headers: { Authorization: `Bearer ${apiKey}`, Accept: 'application/json' },
		timeout: TIMEOUT_MS,
		// A redirect could send the key to another host.
		followRedirect: false,
		simple: false,
		resolveWithFullResponse: true,
	})) as ReadResponse;
}

/** Returns why there is no response. */
function reasonOf(error: unknown, { host, hostname, port, protocol }: URL): string {
	const { code, message = '' } = error as { code?: unknown; message?: string };
	// ENOTFOUND and ECONNREFUSED may be about a proxy instead of the service.
	const isOwnHost = message.endsWith(` ${hostname}`);
	const ownPort = port || (protocol === 'https:' ? '443' : '80');
	const isOwnPort = (/:(\d+)$/.exec(message)?.[1] ?? ownPort) === ownPort;
	if (code === 'ENOTFOUND' && isOwnHost) return `There is no host ${hostname}: check the base URL`;
	if (code === 'ECONNREFUSED' && isOwnPort) return `Nothing answers at ${host}: is the server running?`;
	if (code === 'ECONNABORTED') {
		return `${host} did not answer within ${TIMEOUT_MS / 1000} seconds. ${nextStep({ kind: 'network' })}`;
	}
	const { kind, meaning, quote } = transportFailureOf(error);
	// The dialog cuts off long texts, so the quote comes last.
	return `${meaning}. ${nextStep({ kind })}${quote === '' ? '' : ` (${quote})`}`;
}

/** Returns what is wrong with a response. Returns undefined if it is a usable account. */
function problemOf(response: ReadResponse, { baseUrl, apiKey }: Credential): string | undefined {
	const { statusCode: status, statusMessage: statusText = '', headers } = response;
	const text = textOf(response);
	// The key is masked before the text is shortened, because a key that is cut in two could not be found.
	const quote = (said: string) => withoutStop(shorten(maskKey(said, apiKey), MAX_QUOTED_CHARS));
	if (status < 200 || status > 299) {
		const header = (name: string) => headers[name]?.toString();
		const failure = readErrorResponse({ status, statusText, header }, text, Date.now(), baseUrl);
		const step = status === 404 ? NOT_FOUND : nextStep(failure);
		return `${status}: ${quote(failure.message)}. ${step}`;
	}
	const parsed = parseJson(text);
	const body = parsed.success && isRecord(parsed.value) ? parsed.value : {};
	if (body.status === true) return undefined;
	if (body.status === undefined) return NOT_THE_SERVICE;
	return `The service refused the account: ${quote(reportedError(text).message)}. Check the account's status with the service.`;
}

/** Removes the final full stop of a text, because the caller adds one. */
function withoutStop(text: string): string {
	return text.replace(/\.$/, '');
}

/** Returns whether a response is a JSON object or list. Lists of models have many forms, and a web page with status 200 has none. */
function isJsonAnswer(response: ReadResponse): boolean {
	const parsed = parseJson(textOf(response));
	return (
		response.statusCode === 200 && parsed.success && typeof parsed.value === 'object' && parsed.value !== null
	);
}

function textOf({ body = '' }: ReadResponse): string {
	return typeof body === 'string' ? body : JSON.stringify(body);
}
