import 'reflect-metadata';

import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult, INodeType } from 'n8n-workflow';

import { additionalDataOf } from './additionalData';

/**
 * Tests a credential as n8n's server does (credentials-tester.service.ts), with the function that a node names in `testedBy`. The
 * server is not installed for tests.
 * @param nodeTypes the node types that use the credential
 * @param maxTimeoutMs an upper limit for the timeout of the test's requests
 * @throws Error if none of the node types tests the credential
 */
export async function testCredential(
	nodeTypes: INodeType[],
	name: string,
	data: ICredentialDataDecryptedObject,
	maxTimeoutMs = Infinity,
): Promise<INodeCredentialTestResult> {
	for (const { description, methods } of nodeTypes) {
		const testedBy = description.credentials?.find((credential) => credential.name === name)?.testedBy;
		const test = typeof testedBy === 'string' ? methods?.credentialTest?.[testedBy] : undefined;
		if (!test) continue;
		const context = new CredentialTestContext(additionalDataOf({ credentialTypes: {}, credentials: {} }));
		const { request } = context.helpers;
		context.helpers.request = async (options: string | { timeout?: number }) =>
			await request(
				typeof options === 'string'
					? options
					: { ...options, timeout: Math.min(options.timeout ?? Infinity, maxTimeoutMs) },
			);
		return await test.call(context, { id: '1', name: 'Credential', type: name, data });
	}
	throw new Error('No node tests the credential');
}
