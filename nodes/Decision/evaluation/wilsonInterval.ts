/** A two-sided 95% interval takes this quantile of the standard normal distribution. */
const Z_95 = 1.959963984540054;

export interface Interval {
	low: number;
	high: number;
}

/**
 * Returns the interval that contains the true share with 95% confidence, or null if there are no observations.
 * @see E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927), 209-212: the
 * score interval, without continuity correction
 */
export function wilsonInterval(successes: number, total: number): Interval | null {
	if (total === 0) return null;
	const share = successes / total;
	const centre = share + Z_95 ** 2 / (2 * total);
	const margin = Z_95 * Math.sqrt((share * (1 - share)) / total + Z_95 ** 2 / (4 * total ** 2));
	const scale = 1 + Z_95 ** 2 / total;
	// With no successes or only successes, one bound is exactly 0 or 1. Computing it would add a rounding error.
	return {
		low: successes === 0 ? 0 : (centre - margin) / scale,
		high: successes === total ? 1 : (centre + margin) / scale,
	};
}

/**
 * Returns how many observations, all of them successes, are needed for the lower bound to reach a share. It is Infinity for a
 * share of 1, which no number of observations can show.
 */
export function observationsToShow(share: number): number {
	return share >= 1 ? Infinity : Math.max(1, Math.ceil((share * Z_95 ** 2) / (1 - share)));
}
