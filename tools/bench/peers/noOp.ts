import type { Peer } from './Peer';
import { runOnEngine } from './onEngine';

/** Passes the items through n8n's No Operation node, to measure the memory of the engine and the items. */
export const noOp: Peer = async (items) =>
	await runOnEngine(items, { type: 'n8n-nodes-base.noOp', parameters: {}, isAnswered: () => true });
