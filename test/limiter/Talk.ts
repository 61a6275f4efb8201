import type { ServiceLimit } from '../../bench/limits/ServiceLimit';
import { LimitModel } from '../../client/limiter/LimitModel';
import { RequestLog, type LoggedRequest } from '../../client/limiter/RequestLog';
import type { Unit } from '../../client/limiter/Usage';

/** Of each answer. Where all are alike, a limit of tokens is one of requests. */
const TOKENS = 500;

/** What a model of a limit lets start, and hears of it. */
export class Talk {
	readonly log = new RequestLog();

	readonly model: LimitModel;

	now = 0;

	constructor(private readonly unit: Unit = 'requests') {
		this.model = new LimitModel(this.log, unit, () => 0.5);
	}

	/** When the next request may start. */
	get nextMs(): number {
		return this.model.nextStartMs(this.now);
	}

	start(): LoggedRequest {
		const entry = this.log.start(this.now);
		this.model.started(entry);
		return entry;
	}

	pass(entry = this.start(), tokens = this.unit === 'tokens' ? TOKENS : undefined): void {
		this.log.settle(entry, 'passed', tokens);
		this.model.passed(entry);
	}

	refuse(entry = this.start(), toldMs?: number): void {
		this.log.settle(entry, 'refused');
		this.model.refused(entry, this.now, toldMs);
	}

	release(entry: LoggedRequest): void {
		this.log.settle(entry, 'released');
		this.model.released(entry);
	}

	/** Sends as much as the model allows, one after the other, to a service that answers at once. */
	run(limit: ServiceLimit, untilMs: number, { header, most = 5000 }: RunOptions = {}): Round[] {
		const rounds: Round[] = [];
		for (let sent = 0; sent < most && this.nextMs < untilMs; sent++) {
			this.now = this.nextMs;
			const isAdmitted = limit.admit(this.now, 1);
			if (isAdmitted) this.pass();
			else this.refuse(undefined, header?.(limit.nextAdmissionMs(this.now, 1) - this.now));
			const atMs = Math.round(this.now);
			if (rounds.at(-1)?.[0] !== atMs) rounds.push([atMs, 0, 0]);
			rounds.at(-1)![isAdmitted ? 1 : 2]++;
		}
		return rounds;
	}
}

interface RunOptions {
	/** Milliseconds of `Retry-After`, from what is left in truth. */
	header?: (leftMs: number) => number;
	/** Most requests. */
	most?: number;
}

/** When requests were sent together, how many of them got through, and how many were refused. */
export type Round = [atMs: number, passed: number, refused: number];
