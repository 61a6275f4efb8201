import type { Peer } from './Peer';
import { runOnEngine } from './onEngine';

/** n8n's own node that passes items on. */
export const noOp: Peer = async (items) =>
	await runOnEngine(items, { type: 'n8n-nodes-base.noOp', parameters: {}, isAnswered: () => true });
