import type { Job } from '../Job';
import type { Peer } from './Peer';

/**
 * Loads only what the peer needs.
 * @param delaysMs see `stream` and `forms`
 */
export async function loadPeer(job: Job, delaysMs: number[]): Promise<Peer> {
	switch (job.peer) {
		case 'inference-default':
			return (await import('./decision.js')).decision(job, false);
		case 'inference-pooled':
			return (await import('./decision.js')).decision(job, true);
		case 'inference-forms':
			return (await import('./forms.js')).forms(job, delaysMs);
		case 'http-request':
			return (await import('./httpRequest.js')).httpRequest(job, false);
		case 'http-request-batched':
			return (await import('./httpRequest.js')).httpRequest(job, true);
		case 'anthropic-node':
			return (await import('./anthropicNode.js')).anthropicNode();
		case 'anthropic-sdk':
			return (await import('./anthropicSdk.js')).anthropicSdk(job);
		case 'undici':
			return (await import('./bare.js')).undici(job);
		case 'bare-fetch':
			return (await import('./bare.js')).bareFetch(job);
		case 'bare-helper':
			return (await import('./bareHelper.js')).bareHelper(job);
		case 'guarded-helper':
			return (await import('./bareHelper.js')).guardedHelper(job);
		case 'no-op':
			return (await import('./noOp.js')).noOp();
		case 'stream':
			return (await import('./stream.js')).stream(job, delaysMs);
	}
}
