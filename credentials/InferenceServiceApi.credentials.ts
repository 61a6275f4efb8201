import type { IAuthenticate, ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

import { readCredential } from './readCredential';

/**
 * Represents the credential of the service. It declares no `test`, because that could show only fixed texts. Instead, the nodes
 * test it with `nodes/shared/service/testCredential.ts`.
 */
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
			description:
				"The service's address, including the version, /v1. An expression is evaluated once, for the first item.",
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
				'Whether to allow http:// for hosts other than localhost and 127.0.0.1. The API key is then sent unencrypted.',
		},
		{
			displayName: 'Reuse Connections',
			name: 'reuseConnections',
			type: 'boolean',
			default: false,
			description:
				"Whether to keep connections open between decisions, and between requests that only read, which speeds up runs with many items. The instance's proxy settings are then ignored, and its network rules are checked before connecting, not while connecting.",
		},
	];

	// This is a function, because a declarative `authenticate` could not refuse a base URL. n8n shows the message of an error that
	// it throws.
	authenticate: IAuthenticate = async (credentials, requestOptions) => {
		const { baseUrl, apiKey } = readCredential(credentials);
		const isAbsolute = /^https?:\/\//i.test(requestOptions.url);
		return {
			...requestOptions,
			...(isAbsolute ? {} : { baseURL: baseUrl }),
			headers: { ...requestOptions.headers, Authorization: `Bearer ${apiKey}` },
		};
	};
}
