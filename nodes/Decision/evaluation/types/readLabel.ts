import { caselessKey, composed } from '../../../shared/text/composed';

/** Returns one spelling for all labels that count as equal: the one that came first. */
export type Normalize = (label: string) => string;

export function labelNormalizer(ignoreCase: boolean): Normalize {
	const spellings = new Map<string, string>();
	return (label) => {
		const key = comparisonKey(label, ignoreCase);
		const spelling = spellings.get(key) ?? (ignoreCase ? label.trim() : label);
		spellings.set(key, spelling);
		return spelling;
	};
}

/** Returns a text that is the same for all labels that count as equal. */
export function comparisonKey(label: string, ignoreCase: boolean): string {
	return ignoreCase ? caselessKey(label) : composed(label);
}

/** Reads a label, which a sheet may give as a number or a boolean. Returns undefined for anything else. */
export function readLabel(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
