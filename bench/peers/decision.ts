import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { ICredentialType, INodeType } from 'n8n-workflow';

import { QUESTION } from '../items';
import type { Job } from '../Job';
import { runOnEngine } from './onEngine';
import type { Peer } from './Peer';

/** What the built package exports, by file. */
export function loadBuilt<Exports>(packageFolder: string, file: string): Exports {
	return createRequire(__filename)(join(packageFolder, 'dist', file)) as Exports;
}

export function loadCredentialType(packageFolder: string): ICredentialType {
	const { InferenceServiceApi } = loadBuilt<{ InferenceServiceApi: new () => ICredentialType }>(
		packageFolder,
		'credentials/InferenceServiceApi.credentials.js',
	);
	return new InferenceServiceApi();
}

export function decision({ packageFolder, concurrency }: Job, reuseConnections: boolean): Peer {
	const { Decision } = loadBuilt<{ Decision: new () => INodeType }>(
		packageFolder,
		'nodes/Decision/Decision.node.js',
	);
	const nodeType = new Decision();
	const credentialType = loadCredentialType(packageFolder);
	return {
		run: async (items, { url, apiKey }) =>
			await runOnEngine(items, {
				type: 'n8n-nodes-inference-service.decision',
				nodeType,
				parameters: {
					stateFields: 'text',
					questions: { question: [QUESTION] },
					options: { concurrency },
				},
				credential: { type: credentialType, data: { baseUrl: url, apiKey, reuseConnections } },
				isAnswered: (json) => typeof json[QUESTION.id] === 'number',
			}),
	};
}
