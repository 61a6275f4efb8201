import type { ICredentialType, VersionedNodeType } from 'n8n-workflow';

import { QUESTION } from '../items';
import type { Job } from '../Job';
import { loadInstalled } from './installed';
import { runOnEngine } from './onEngine';
import type { Peer } from './Peer';

const VERSION = 4.2;

const BODY = `={{ JSON.stringify({
	model: 'Kev-4B',
	state: { text: $json.text },
	questions: { ${QUESTION.id}: { type: 'noul', instructions: ${JSON.stringify(QUESTION.instructions)} } },
}) }}`;

export function httpRequest({ batch }: Job, batched: boolean): Peer {
	const { HttpRequest } = loadInstalled<{ HttpRequest: new () => VersionedNodeType }>(
		'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js',
	);
	const { HttpHeaderAuth } = loadInstalled<{ HttpHeaderAuth: new () => ICredentialType }>(
		'n8n-nodes-base/dist/credentials/HttpHeaderAuth.credentials.js',
	);
	const nodeType = new HttpRequest().getNodeType(VERSION);
	const credentialType = new HttpHeaderAuth();
	return async (items, { url, apiKey }) =>
		await runOnEngine(items, {
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: VERSION,
			nodeType,
			parameters: {
				method: 'POST',
				url: `${url}/systemone`,
				authentication: 'genericCredentialType',
				genericAuthType: 'httpHeaderAuth',
				sendBody: true,
				specifyBody: 'json',
				jsonBody: BODY,
				options: batched
					? { batching: { batch: { batchSize: batch.size, batchInterval: batch.intervalMs } } }
					: {},
			},
			credential: { type: credentialType, data: { name: 'Authorization', value: `Bearer ${apiKey}` } },
			isAnswered: ({ answers }) => typeof answers === 'object',
		});
}
