/**
 * Requests that arrive later by up to this share of the span's length still count, because the span may just miss an
 * edge.
 */
const GRACE = 0.1;

/** The distance between spans, as a share of a span's length. */
const STEP = 0.25;

interface SpanRange {
	fromMs: number;
	untilMs: number;
	/** Spans that overlap one of these are ignored. */
	exceptMs?: ReadonlyArray<[from: number, until: number]>;
}

/**
 * Compares what the limiter and the ideal sender deliver in each span, and returns the smallest ratio.
 * @param ownMs when its requests got through, in order
 * @param idealMs when the ideal sender's would have
 */
export function worstSpan(
	ownMs: number[],
	idealMs: number[],
	spanMs: number,
	{ fromMs, untilMs, exceptMs = [] }: SpanRange,
): number {
	const longMs = spanMs * (1 + GRACE);
	let worst = 1;
	for (let atMs = fromMs; atMs + longMs <= untilMs; atMs += spanMs * STEP) {
		if (exceptMs.some(([from, until]) => from < atMs + longMs && until > atMs)) continue;
		const ideal = countBetween(idealMs, atMs, atMs + spanMs);
		if (ideal === 0) continue;
		worst = Math.min(worst, countBetween(ownMs, atMs, atMs + longMs) / ideal);
	}
	return worst;
}

function countBetween(timesMs: number[], fromMs: number, untilMs: number): number {
	return countBefore(timesMs, untilMs) - countBefore(timesMs, fromMs);
}

function countBefore(timesMs: number[], atMs: number): number {
	let low = 0;
	let high = timesMs.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (timesMs[middle]! < atMs) low = middle + 1;
		else high = middle;
	}
	return low;
}
