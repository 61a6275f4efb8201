import type { Fault } from './Fault';
import type { RecordedRequest } from './RecordedRequest';
import { seededRandom } from './seededRandom';

const SEED = 1;

const ACTIONS = [
	'delayMs',
	'status',
	'headers',
	'respond',
	'stream',
	'truncate',
	'split',
	'cut',
	'stall',
] as const satisfies (keyof Fault)[];

export class Faults {
	private entries: { fault: Fault; seen: number; acted: number }[] = [];
	private random = seededRandom(SEED);

	/** Adds a fault, and returns a function that removes it. Throws a TypeError if it has no effect, or contradicts itself. */
	add(fault: Fault): () => void {
		check(fault);
		const entry = { fault, seen: 0, acted: 0 };
		this.entries.push(entry);
		return () => {
			this.entries = this.entries.filter((other) => other !== entry);
		};
	}

	/** Removes all faults, and resets the random numbers. */
	clear(): void {
		this.entries = [];
		this.random = seededRandom(SEED);
	}

	/** Returns the fault that acts on this request, if any, and counts the use. */
	take(request: RecordedRequest): Fault | undefined {
		for (const entry of this.entries) {
			const { times = 1, skip = 0, probability = 1 } = entry.fault;
			if (!matches(entry.fault, request)) continue;
			entry.seen += 1;
			if (entry.seen <= skip) continue;
			if (probability < 1 && this.random() >= probability) continue;
			entry.acted += 1;
			if (entry.acted >= times) this.entries.splice(this.entries.indexOf(entry), 1);
			return entry.fault;
		}
		return undefined;
	}
}

function check(fault: Fault): void {
	if (!ACTIONS.some((action) => fault[action] !== undefined)) {
		throw new TypeError(`A fault needs one of ${ACTIONS.join(', ')}`);
	}
	const { stream = [], truncate, split, cut, stall } = fault;
	const isEndless = stream.some(({ times }) => times === Infinity);
	if (isEndless && (truncate === true || split !== undefined || [cut, stall].includes('mid-body'))) {
		throw new TypeError('A body that never ends has no half, and cannot be split');
	}
}

function matches(fault: Fault, request: RecordedRequest): boolean {
	if (fault.method !== undefined && fault.method.toUpperCase() !== request.method) return false;
	if (typeof fault.path === 'string' && fault.path !== request.path) return false;
	if (fault.path instanceof RegExp && !fault.path.test(request.path)) return false;
	return fault.bodyIncludes === undefined || request.rawBody.includes(fault.bodyIncludes);
}
