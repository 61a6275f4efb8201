import { runOnEngine } from './onEngine';
import type { Peer } from './Peer';

/** n8n's own node that passes items on. */
export function noOp(): Peer {
	return {
		run: async (items) =>
			await runOnEngine(items, { type: 'n8n-nodes-base.noOp', parameters: {}, isAnswered: () => true }),
	};
}
