/**
 * How many IDs each half holds. A response that comes more than this many requests late may no longer be recognized.
 */
const GENERATION = 5000;

/** The trace IDs of the last requests. */
export class SentTraceIds {
	/** The whole older half is forgotten at once: ordering them by age would cost much more than keeping them. */
	private older = new Set<string>();

	private newer = new Set<string>();

	add(id: string | undefined): void {
		if (id === undefined) return;
		this.newer.add(id);
		if (this.newer.size < GENERATION) return;
		this.older = this.newer;
		this.newer = new Set();
	}

	has(id: string): boolean {
		return this.newer.has(id) || this.older.has(id);
	}
}
