/** The quantile of the standard normal distribution for 95%. */
const Z = 1.959963984540054;

export interface Interval {
	low: number;
	high: number;
}

/**
 * The range that contains the true share with 95% confidence.
 * @returns null without observations
 * @see E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927), 209-212: the
 * score interval, without continuity correction
 */
export function wilsonInterval(successes: number, total: number): Interval | null {
	if (total === 0) return null;
	const share = successes / total;
	const centre = share + Z ** 2 / (2 * total);
	const margin = Z * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2));
	const scale = 1 + Z ** 2 / total;
	// Without successes, or with successes only, the bound is exactly 0 or 1, but rounding would move it.
	return {
		low: successes === 0 ? 0 : (centre - margin) / scale,
		high: successes === total ? 1 : (centre + margin) / scale,
	};
}

/**
 * How many observations without a failure it takes for the lower bound to reach a share.
 * @returns Infinity for a share of 1, which no number of observations can show
 */
export function observationsToShow(share: number): number {
	return share >= 1 ? Infinity : Math.max(1, Math.ceil((share * Z ** 2) / (1 - share)));
}
