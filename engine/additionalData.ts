import type { ExecutionLifecycleHooks } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { CredentialsStore } from './CredentialsStore';

/** Describes the data and callbacks that n8n's server gives the engine. */
export interface EngineSurroundings {
	credentialTypes: Record<string, ICredentialType>;
	credentials: Record<string, ICredentialDataDecryptedObject>;
	executionId?: string;
	/** Is called before each request that n8n signs with a credential. */
	onRequest?: () => void;
}

export function additionalDataOf({
	credentialTypes,
	credentials,
	executionId = '1',
	onRequest = () => {},
	hooks,
}: EngineSurroundings & { hooks?: ExecutionLifecycleHooks }): IWorkflowExecuteAdditionalData {
	const parts: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: new CredentialsStore(credentialTypes, credentials, onRequest),
		executionId,
		hooks,
		streamingEnabled: (hooks?.handlers.sendChunk.length ?? 0) > 0,
		currentNodeExecutionIndex: 0,
		restApiUrl: 'http://localhost/rest',
		instanceBaseUrl: 'http://localhost/',
		formWaitingBaseUrl: 'http://localhost/form-waiting',
		webhookBaseUrl: 'http://localhost/webhook',
		webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
		webhookTestBaseUrl: 'http://localhost/webhook-test',
		variables: {},
		logAiEvent: () => {},
		setExecutionStatus: () => {},
	};
	return parts as IWorkflowExecuteAdditionalData;
}
