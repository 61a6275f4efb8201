import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { readCredential } from '../nodes/shared/service/readCredential';
import { nextStep } from '../nodes/shared/text/nextStep';

/** A rule names one status. These are all that HTTP defines, and those of gateways. */
const STATUSES = [...range(300, 308), ...range(400, 431), 451, ...range(500, 511), ...range(520, 529)];

const REFUSING_VALUES = [false, 0, 'false', '0'];

/** A rule compares one value, and cannot express "anything but true". But all values of a type have the same constructor. */
const FOREIGN_CONSTRUCTORS = [undefined, Number, String, Array, Object];

const NO_ACCOUNT =
	'The request succeeded, but the response is not from the service. Check the base URL in the credential: it must include the version, /v1.';

const ADVICE_OF_404 =
	'Check that the base URL in the credential includes the version, /v1. A self-hosted server without accounts also returns 404: decisions may still work.';

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
				"The service's address, including the version, /v1. If the test shows only a code such as ENOTFOUND, n8n cannot reach it: check the spelling, http:// or https://, and the port. An expression is evaluated once, for the first item.",
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
				'Sent as a bearer token to the base URL, and nowhere else. An expression is evaluated once, for the first item: all items use that key.',
			hint: 'Create it in your account with the service',
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
				"Whether to keep connections open between requests, which speeds up runs with many items. The instance's proxy settings are then ignored, and its network rules are checked before connecting, not while connecting.",
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
			...STATUSES.map(statusRule),
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

function statusRule(status: number) {
	const message =
		status < 400
			? `${status}: a redirect, which is never followed. ${nextStep({ kind: 'redirect' })}`
			: `${status}: ${status === 404 ? ADVICE_OF_404 : nextStep({ kind: 'status', httpStatus: status })}`;
	return { type: 'responseCode', properties: { value: status, message } };
}

/** @param key a path within the body */
function accountRule(key: string, value: unknown, message: string) {
	return { type: 'responseSuccessBody', properties: { key, value, message } };
}

function range(first: number, last: number): number[] {
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
