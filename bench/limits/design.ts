import { join, resolve } from 'node:path';

import type { ServiceError } from '../../client/ServiceError';
import * as current from '../../client/limiter/Limiter';
import * as currentBudgets from '../../client/limiter/WaitBudget';
import { AdaptiveSender } from './AdaptiveSender';
import type { VirtualClock } from './VirtualClock';

/** What is between calls and the service: the limiter, or another design to compare it with. */
export interface Gate {
	acquire(item: currentBudgets.WaitBudget, signal: AbortSignal): Promise<GatePermit>;
}

export interface GatePermit {
	succeeded(facts?: { tokens?: number }): void;
	throttled(refusal: ServiceError): boolean;
	overloaded(error: ServiceError): void;
}

/** A way to keep to limits. */
export interface Design {
	name: string;
	/** Creates the gate of a process. */
	newGate: (clock: VirtualClock, random: () => number) => Gate;
	budgets: Pick<typeof currentBudgets, 'ExecutionBudget' | 'WaitBudget'>;
}

export const limiter: Design = {
	name: 'limiter',
	newGate: (clock, random) => new current.Limiter({ clock, random }),
	budgets: currentBudgets,
};

/** The simplest design that is widely used. */
export const adaptive: Design = {
	name: 'adaptive',
	newGate: (clock, random) => new AdaptiveSender(clock, random),
	budgets: currentBudgets,
};

/**
 * The limiter of another checkout.
 * @param folder of the checkout
 */
export async function loadDesign(name: string, folder: string): Promise<Design> {
	const load = async <Module>(file: string) =>
		(await import(join(resolve(folder), 'client', 'limiter', file))) as Module;
	const { Limiter } = await load<typeof current>('Limiter.ts');
	const budgets = await load<typeof currentBudgets>('WaitBudget.ts');
	return { name, newGate: (clock, random) => new Limiter({ clock, random }), budgets };
}
