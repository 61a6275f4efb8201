import { Account } from './Account';
import { Batches } from './Batches';
import type { Decider } from './Decider';
import { Voices } from './Voices';

/** Describes a reply that a test sets in place of the emulator's own. */
export interface ScriptedReply {
	text?: string;
	/** Holds the tool calls of this reply. Only /messages has them. */
	toolCalls?: { name: string; input: Record<string, unknown> }[];
}

export class ServiceState {
	readonly account = new Account();
	readonly voices = new Voices();
	readonly batches = new Batches();
	/** Holds the next replies of the models, one for each valid request. */
	script: ScriptedReply[] = [];
	private readonly counters = new Map<string, number>();

	constructor(
		readonly models: readonly string[],
		/** Holds the milliseconds between two events of a stream. */
		readonly tokenDelayMs: number,
		readonly decide: Decider,
	) {}

	/** Returns the next ID with a prefix: `msg_000001`, `msg_000002`, … */
	readonly nextId = (prefix: string): string => {
		const count = (this.counters.get(prefix) ?? 0) + 1;
		this.counters.set(prefix, count);
		return `${prefix}_${String(count).padStart(6, '0')}`;
	};
}
