import { RequestLog, type LoggedRequest } from '../../client/limiter/RequestLog';
import { Usage, type Unit } from '../../client/limiter/Usage';

/** Requests at times of a test's choice, and what they have taken of a limit. */
export class History {
	readonly log = new RequestLog();

	readonly usage: Usage;

	constructor(unit: Unit = 'requests') {
		this.usage = new Usage(this.log, unit);
	}

	/** Requests that are still in flight. */
	start(...atMs: number[]): LoggedRequest[] {
		return atMs.map((at) => this.log.start(at));
	}

	pass(...atMs: number[]): LoggedRequest[] {
		return this.settle('passed', atMs);
	}

	/** A request whose answer tells its tokens. */
	take(tokens: number, atMs: number): LoggedRequest {
		const [entry] = this.start(atMs);
		this.log.settle(entry!, 'passed', tokens);
		return entry!;
	}

	refuse(...atMs: number[]): LoggedRequest[] {
		return this.settle('refused', atMs);
	}

	refuseOne(atMs: number): LoggedRequest {
		return this.refuse(atMs)[0]!;
	}

	private settle(outcome: LoggedRequest['outcome'], atMs: number[]): LoggedRequest[] {
		const entries = this.start(...atMs);
		for (const entry of entries) this.log.settle(entry, outcome);
		return entries;
	}
}

/** As many times, a millisecond apart, from one on. */
export function timesFrom(fromMs: number, count: number): number[] {
	return Array.from({ length: count }, (_, index) => fromMs + index);
}
