/** A share as a whole percentage, but 0% and 100% only if it is exactly that. */
export function percent(share: number): string {
	const whole = Math.round(share * 100);
	const looksExact = (whole === 0 && share > 0) || (whole === 100 && share < 1);
	return looksExact ? precisePercent(share) : `${whole}%`;
}

/** A share as a percentage with one decimal, never rounded up to a bound that it does not reach. */
export function precisePercent(share: number): string {
	const tenths = share > 0 ? Math.max(1, Math.floor(share * 1000 + 1e-9)) : 0;
	return `${(tenths / 10).toFixed(1)}%`;
}
