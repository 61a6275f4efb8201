import { setTimeout } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import type { Emulator } from '../../emulator/Emulator';
import type { NodeDriver, NodeInput } from './nodeDriver';

/**
 * Runs a node on more than enough items while the service answers none of them, until it has this many requests in flight. Returns
 * how many there are when it has had time to send more, and stops the execution.
 */
export async function mostInFlight(
	emulator: Emulator,
	driver: NodeDriver<NodeInput>,
	parameters: INodeParameters,
	expected: number,
): Promise<number> {
	emulator.fault({ stall: 'before-headers', times: Infinity });
	const stop = new AbortController();
	const items = Array.from({ length: 2 * expected + 1 }, (_, n) => ({ n }));
	const running = driver.run(parameters, { items, signal: stop.signal });
	await emulator.waitFor(() => emulator.inFlight >= expected);
	await setTimeout(200);
	stop.abort();
	await running;
	return emulator.maxInFlight;
}
