import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { readCredential } from '../client/readCredential';

const REDIRECT_STATUSES = range(300, 308);
const ERROR_STATUSES = [...range(400, 431), 451, ...range(500, 511)];

/**
 * These are not the next steps of the nodes, because whoever fills in a credential has no items, models or options to
 * change.
 */
const NEXT_STEP_OF_STATUS: Record<number, string> = {
	401: 'Check the API key in the credential.',
	402: 'The account cannot pay. Check its balance.',
	403: 'The API key lacks permission. The most common reason is a model that requires real-name verification of the account.',
	404: 'Check that the base URL in the credential includes the version, /v1. A self-hosted server without accounts answers so too: decisions may work all the same.',
	407: "The instance's proxy asks for a user name and a password. Check the proxy settings of this n8n instance.",
	429: 'A rate limit is reached. Try again later.',
	500: "The service failed. Try again; if it keeps happening, contact the service's support.",
};

const REDIRECT_STEP =
	'Check the base URL in the credential. If the service has moved, enter the new address there.';

const REFUSING_VALUES = [false, 0, 'false', '0'];

/** A rule compares one value, and cannot express "anything but true". But all values of a type have the same constructor. */
const FOREIGN_CONSTRUCTORS = [undefined, Number, String, Array, Object];

const NO_ACCOUNT =
	'The status means success, but the response does not come from the service. Check the base URL in the credential: it must include the version, /v1.';

export class InferenceServiceApi implements ICredentialType {
	name = 'inferenceServiceApi';

	displayName = 'Inference Service API';

	icon: Icon = { light: 'file:inferenceService.svg', dark: 'file:inferenceService.dark.svg' };

	documentationUrl = 'https://github.com/OWNER/n8n-nodes-inference-service#the-credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com/v1',
			// If n8n cannot reach the address, its credential test shows only the error's code.
			description:
				"The service's address including the version, /v1. If the test shows only a code like ENOTFOUND, n8n cannot reach it: check its spelling, http:// or https://, and the port. Expressions see only the first item of an execution.",
			hint: "See the service's API documentation; ends in /v1",
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'Sent as a bearer token to the base URL, and nowhere else. Expressions see only the first item of an execution: all items use its key.',
			hint: 'You create it in your account with the service',
		},
		{
			displayName: 'Allow HTTP',
			name: 'allowHttp',
			type: 'boolean',
			default: false,
			description:
				'Whether to allow http:// for hosts other than this machine. The API key is then sent unencrypted.',
		},
		{
			displayName: 'Reuse Connections',
			name: 'reuseConnections',
			type: 'boolean',
			default: false,
			description:
				'Whether to keep connections open between requests, which is faster for many items in a short time. The proxy settings of the instance are then not used, and its network rules are checked only before connecting, not during.',
		},
	];

	// A function, because a declarative one could not refuse a base URL. n8n shows the message of an error thrown here.
	authenticate: IAuthenticate = async (credentials, requestOptions) => {
		const { baseUrl, apiKey } = readCredential(credentials);
		const isAbsolute = /^https?:\/\//i.test(requestOptions.url);
		return {
			...requestOptions,
			...(isAbsolute ? {} : { baseURL: baseUrl }),
			headers: { ...requestOptions.headers, Authorization: `Bearer ${apiKey}` },
		};
	};

	// A failed test shows a rule's fixed text, never the response: not even where a redirect points to.
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl}}',
			// The nodes ask for it by `accountRequest`, which this declaration cannot call.
			url: '/user/info',
			disableFollowRedirect: true,
			timeout: 30_000,
		},
		rules: [
			...REDIRECT_STATUSES.map((status) =>
				statusRule(status, `a redirect, which is never followed. ${REDIRECT_STEP}`),
			),
			...ERROR_STATUSES.map((status) => statusRule(status, nextStepOf(status))),
			...REFUSING_VALUES.map((value) =>
				accountRule(
					'status',
					value,
					`The service's response has status ${value}: it rejected the account. Check the account's status with the service.`,
				),
			),
			...FOREIGN_CONSTRUCTORS.map((value) => accountRule('status.constructor', value, NO_ACCOUNT)),
		] as ICredentialTestRequest['rules'],
	};
}

function statusRule(status: number, message: string) {
	return { type: 'responseCode', properties: { value: status, message: `${status}: ${message}` } };
}

function nextStepOf(status: number): string {
	const other = status < 500 ? 'Check the base URL in the credential.' : 'Try again later.';
	return NEXT_STEP_OF_STATUS[status] ?? other;
}

/** @param key a path within the body */
function accountRule(key: string, value: unknown, message: string) {
	return { type: 'responseSuccessBody', properties: { key, value, message } };
}

function range(first: number, last: number): number[] {
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
