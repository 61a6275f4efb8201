import { Account } from './Account';
import { Batches } from './Batches';
import type { Decider } from './Decider';
import { Voices } from './Voices';

/** What a model says instead of what the emulator would write. */
export interface ScriptedReply {
	text?: string;
	/** Calls of tools, all in this reply; for messages only. */
	toolCalls?: { name: string; input: Record<string, unknown> }[];
}

/** What the emulated service remembers. */
export class ServiceState {
	readonly account = new Account();
	readonly voices = new Voices();
	readonly batches = new Batches();
	/** What the models say next, one reply for each valid request. */
	script: ScriptedReply[] = [];
	private readonly counters = new Map<string, number>();

	constructor(
		readonly models: readonly string[],
		/** Milliseconds between two events of a stream. */
		readonly tokenDelayMs: number,
		readonly decide: Decider,
	) {}

	/** The next identifier with that prefix: `msg_000001`, `msg_000002`, … */
	readonly nextId = (prefix: string): string => {
		const count = (this.counters.get(prefix) ?? 0) + 1;
		this.counters.set(prefix, count);
		return `${prefix}_${String(count).padStart(6, '0')}`;
	};
}
