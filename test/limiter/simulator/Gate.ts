import { Limiter, type Permit } from '../../../client/limiter/Limiter';
import type { ItemCalls } from '../../../client/limiter/ItemCalls';
import type { VirtualClock } from '../../support/VirtualClock';

export type GatePermit = Omit<Permit, 'released'>;

/** What is between calls and the service: the limiter, or another design to compare it with. */
export interface Gate {
	acquire(item: ItemCalls, signal: AbortSignal): Promise<GatePermit>;
}

/** Creates the gate of a process. */
export type NewGate = (clock: VirtualClock, random: () => number) => Gate;

export const newLimiter: NewGate = (clock, random) => new Limiter({ clock, random });
