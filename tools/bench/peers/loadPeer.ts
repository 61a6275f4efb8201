import type { Job } from '../Job';
import type { Peer } from './Peer';

/** Loads a peer, and nothing that only other peers need, because its memory is measured. */
export async function loadPeer(job: Job): Promise<Peer> {
	switch (job.peer) {
		case 'inference-default':
			return (await import('./decision.js')).decision(job, false);
		case 'inference-pooled':
			return (await import('./decision.js')).decision(job, true);
		case 'http-request':
			return (await import('./httpRequest.js')).httpRequest(job, false);
		case 'http-request-batched':
			return (await import('./httpRequest.js')).httpRequest(job, true);
		case 'bare-fetch':
			return (await import('./bareFetch.js')).bareFetch(job);
		case 'bare-helper':
			return (await import('./bareHelper.js')).bareHelper(job);
		case 'no-op':
			return (await import('./noOp.js')).noOp;
	}
}
