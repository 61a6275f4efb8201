import { Account } from './Account';
import { Batches } from './Batches';
import type { Script } from './Script';
import { Voices } from './Voices';

/** What the emulated service remembers. */
export class ServiceState {
	readonly account = new Account();
	readonly voices = new Voices();
	readonly batches = new Batches();
	/** What the models say next; undefined lets the emulator write. */
	script: Script | undefined;
	private readonly counters = new Map<string, number>();

	constructor(
		readonly models: readonly string[],
		/** Milliseconds between two events of a stream. */
		public tokenDelayMs: number,
	) {}

	/** The next identifier with that prefix: `msg_000001`, `msg_000002`, … */
	readonly nextId = (prefix: string): string => {
		const count = (this.counters.get(prefix) ?? 0) + 1;
		this.counters.set(prefix, count);
		return `${prefix}_${String(count).padStart(6, '0')}`;
	};
}
