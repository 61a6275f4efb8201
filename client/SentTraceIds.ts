/** A response that is late by more requests than this is not recognized. */
const MOST = 10_000;

/** The trace IDs of the last requests. */
export class SentTraceIds {
	/** In the order in which they were sent. */
	private readonly ids = new Set<string>();

	add(id: string | undefined): void {
		if (id === undefined) return;
		this.ids.delete(id);
		this.ids.add(id);
		if (this.ids.size <= MOST) return;
		for (const oldest of this.ids) {
			this.ids.delete(oldest);
			break;
		}
	}

	has(id: string): boolean {
		return this.ids.has(id);
	}
}
