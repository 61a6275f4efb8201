import { UPLINK_MS, type Scenario } from './Scenario';

interface IdealRun {
	/** Says when each slot for a request in flight is free. Slots are used in turn, because all requests take equally long. */
	freeMs: number[];
	next: number;
	costs: number[];
}

/**
 * Returns the milliseconds that an ideal sender needs, which knows the limit, when it admits requests, and which items are always
 * refused. All processes count as one sender with the slots of all, because they share the limit and have the same work. If there
 * are several models, each has a sender with all slots, and the slowest counts.
 * @param costs the costs of the items of all runs of a process, one run after the other, and so for each process
 */
export function idealMs(scenario: Scenario, costs: number[], beginMs: number): number {
	const { models = 1, isRefused } = scenario;
	const senders = Array.from({ length: models }, (_, model) => {
		const isLeftOut = (item: number) => item % models !== model || (isRefused?.(item) ?? false);
		return idealMsOfModel({ ...scenario, isRefused: isLeftOut }, costs, beginMs);
	});
	return Math.max(...senders);
}

function idealMsOfModel(scenario: Scenario, costs: number[], beginMs: number): number {
	const { latencyMs, runs, processesMs, isRefused, mostInFlight = Infinity, other } = scenario;
	const upMs = Math.min(UPLINK_MS, latencyMs / 2);
	const limit = scenario.limit(beginMs, 1 - (other?.share ?? 0));
	let first = 0;
	const waiting = processesMs
		.flatMap((processMs) =>
			runs.map((run): IdealRun => {
				const items = Array.from({ length: run.items }, (_, index) => first + index);
				first += run.items;
				const atMs = beginMs + processMs + run.beginMs;
				const ownCosts = items.filter((item) => !isRefused?.(item)).map((item) => costs[item]!);
				const places = Math.min(run.concurrency, mostInFlight);
				return { freeMs: new Array<number>(places).fill(atMs), next: 0, costs: ownCosts };
			}),
		)
		.filter((run) => run.costs.length > 0);
	let atMs = beginMs;
	let endMs = beginMs;
	const readyMs = ({ freeMs, next }: IdealRun) => freeMs[next % freeMs.length]!;
	while (waiting.length > 0) {
		const run = waiting.reduce((best, one) => (readyMs(one) < readyMs(best) ? one : best));
		const place = run.next % run.freeMs.length;
		const cost = run.costs[run.next++]!;
		if (run.next === run.costs.length) waiting.splice(waiting.indexOf(run), 1);
		atMs = Math.max(atMs, run.freeMs[place]! + upMs);
		for (let nextMs = limit.nextAdmissionMs(atMs, cost); nextMs > atMs;) {
			// The limit may change during the wait.
			atMs = Math.min(nextMs, atMs + 1000);
			nextMs = limit.nextAdmissionMs(atMs, cost);
		}
		limit.admit(atMs, cost);
		run.freeMs[place] = endMs = atMs - upMs + latencyMs;
	}
	return endMs - beginMs;
}
