import { join, resolve } from 'node:path';

import type { WaitBudget } from '../../client/limiter/WaitBudget';
import type { ServiceError } from '../../client/ServiceError';
import type { GateFactory } from './simulate';
import type { VirtualClock } from './VirtualClock';

/** What an earlier commit had in the limiter's place: one for each execution. */
interface RateGateModule {
	Ticket: new (maxWaitMs: number) => { waitedMs: number };
	RateGate: new (
		clock: VirtualClock,
		random: () => number,
	) => {
		enter(ticket: unknown, signal: AbortSignal): Promise<unknown>;
		passed(permit: unknown): void;
		refused(permit: unknown, refusal: ServiceError, ticket: unknown): boolean;
	};
}

/**
 * Gates of a checkout that has `client/RateGate.ts`.
 * @param folder of the checkout
 */
export async function loadRateGates(folder: string): Promise<GateFactory> {
	const { Ticket, RateGate } = (await import(
		join(resolve(folder), 'client', 'RateGate.ts')
	)) as RateGateModule;
	return (clock, random) => () => {
		const gate = new RateGate(clock, random);
		const tickets = new Map<WaitBudget, InstanceType<typeof Ticket>>();
		return {
			acquire: async (budget, signal) => {
				let ticket = tickets.get(budget);
				if (!ticket) tickets.set(budget, (ticket = new Ticket(budget.maxWaitMs)));
				const permit = await gate.enter(ticket, signal);
				return {
					succeeded: () => {
						tickets.delete(budget);
						gate.passed(permit);
					},
					throttled: (refusal) => gate.refused(permit, refusal, ticket),
				};
			},
		};
	};
}
