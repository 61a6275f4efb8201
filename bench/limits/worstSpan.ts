/** What comes this much later than the span, of its length, still counts: an edge that the span just misses. */
const GRACE = 0.1;

/**
 * The least share of what the ideal sender delivers in a span that the limiter delivers in it.
 * @param ownMs when its requests got through, in order
 * @param idealMs when the ideal sender's would have
 */
export function worstSpan(
	ownMs: number[],
	idealMs: number[],
	spanMs: number,
	{ fromMs, untilMs }: { fromMs: number; untilMs: number },
): number {
	let worst = 1;
	for (let atMs = fromMs; atMs + spanMs * (1 + GRACE) <= untilMs; atMs += spanMs / 4) {
		const ideal = countBetween(idealMs, atMs, atMs + spanMs);
		if (ideal === 0) continue;
		worst = Math.min(worst, countBetween(ownMs, atMs, atMs + spanMs * (1 + GRACE)) / ideal);
	}
	return worst;
}

function countBetween(timesMs: number[], fromMs: number, untilMs: number): number {
	return firstAfter(timesMs, untilMs) - firstAfter(timesMs, fromMs);
}

function firstAfter(timesMs: number[], atMs: number): number {
	let low = 0;
	let high = timesMs.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (timesMs[middle]! < atMs) low = middle + 1;
		else high = middle;
	}
	return low;
}
