import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { ICredentialType, INodeType, INodeParameters } from 'n8n-workflow';

import { behindTrigger } from '../../../engine/behindTrigger';
import { runWorkflow, type WorkflowRun } from '../../../engine/runWorkflow';
import { QUESTION } from '../items';
import type { Job, Service } from '../Job';
import { runOnEngine } from './onEngine';
import type { Peer } from './Peer';

export const DECISION_TYPE = 'n8n-nodes-inference-service.decision';

const PARAMETERS: INodeParameters = { stateFields: 'text', questions: { question: [QUESTION] } };

/** Loads the Decision node and the credential of the built package. */
export function loadDecision(packageFolder: string): {
	nodeType: INodeType;
	credentialType: ICredentialType;
} {
	const load = createRequire(join(packageFolder, 'package.json'));
	const { Decision } = load('./dist/nodes/Decision/Decision.node.js') as { Decision: new () => INodeType };
	const { InferenceServiceApi } = load('./dist/credentials/InferenceServiceApi.credentials.js') as {
		InferenceServiceApi: new () => ICredentialType;
	};
	return { nodeType: new Decision(), credentialType: new InferenceServiceApi() };
}

export function decision({ packageFolder, concurrency }: Job, reuseConnections: boolean): Peer {
	const { nodeType, credentialType } = loadDecision(packageFolder);
	return async (items, { url, apiKey }) =>
		await runOnEngine(items, {
			type: DECISION_TYPE,
			nodeType,
			parameters: { ...PARAMETERS, options: { concurrency } },
			credential: { type: credentialType, data: { baseUrl: url, apiKey, reuseConnections } },
			isAnswered: (json) => typeof json[QUESTION.id] === 'number',
		});
}

/**
 * Runs the Decision node of the built package in a saved workflow.
 * @param settings the node's settings, such as On Error
 */
export async function runSaved(
	packageFolder: string,
	{ url, apiKey }: Service,
	run: Pick<WorkflowRun, 'workflowId' | 'executionId' | 'items'>,
	settings: object = {},
): Promise<void> {
	const { nodeType, credentialType } = loadDecision(packageFolder);
	const { name } = credentialType;
	const credentials = { [name]: { id: '1', name: 'Service' } };
	await runWorkflow({
		workflow: behindTrigger({
			type: DECISION_TYPE,
			typeVersion: 1,
			parameters: PARAMETERS,
			credentials,
			...settings,
		}),
		nodeTypes: { [DECISION_TYPE]: nodeType },
		credentialTypes: { [name]: credentialType },
		credentials: { [name]: { baseUrl: url, apiKey } },
		...run,
	});
}
