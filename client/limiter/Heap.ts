/** A binary heap whose entries may die inside it: they are dropped when they come up, or once they are the most of it. */
export class Heap<Entry> {
	private entries: Entry[] = [];

	/**
	 * @param isBefore the order; must not change for an entry while it is inside
	 * @param isLive whether an entry still counts
	 */
	constructor(
		private readonly isBefore: (a: Entry, b: Entry) => boolean,
		private readonly isLive: (entry: Entry) => boolean,
	) {}

	push(entry: Entry): void {
		this.entries.push(entry);
		this.rise(this.entries.length - 1);
	}

	/** The first that lives. */
	peek(): Entry | undefined {
		while (this.entries.length > 0 && !this.isLive(this.entries[0]!)) this.removeFirst();
		return this.entries[0];
	}

	pop(): Entry | undefined {
		const first = this.peek();
		if (first !== undefined) this.removeFirst();
		return first;
	}

	/** All that live, in no order. */
	living(): Entry[] {
		return this.entries.filter(this.isLive);
	}

	/** Drops the dead when there are more of them than of the living, so that memory follows those. */
	prune(living: number): void {
		if (this.entries.length <= 2 * living + 64) return;
		const entries = this.living();
		this.entries = [];
		for (const entry of entries) this.push(entry);
	}

	private removeFirst(): void {
		const last = this.entries.pop()!;
		if (this.entries.length === 0) return;
		this.entries[0] = last;
		this.sink();
	}

	private rise(from: number): void {
		const { entries } = this;
		let index = from;
		while (index > 0) {
			const parent = (index - 1) >> 1;
			if (!this.isBefore(entries[index]!, entries[parent]!)) return;
			this.swap(index, parent);
			index = parent;
		}
	}

	private sink(): void {
		const { entries } = this;
		let index = 0;
		for (;;) {
			let first = index;
			for (const child of [2 * index + 1, 2 * index + 2]) {
				if (child < entries.length && this.isBefore(entries[child]!, entries[first]!)) first = child;
			}
			if (first === index) return;
			this.swap(index, first);
			index = first;
		}
	}

	private swap(a: number, b: number): void {
		const { entries } = this;
		[entries[a], entries[b]] = [entries[b]!, entries[a]!];
	}
}
