import { numberField, option, orDefault } from '../../shared/fields/Field';

/** The share of clear answers to check, in percent. */
export const spotCheck = option(
	orDefault(
		numberField({
			displayName: 'Spot Check (Percent)',
			name: 'spotCheck',
			typeOptions: { minValue: 0, maxValue: 100, numberPrecision: 2 },
			default: 0,
			description:
				"Percentage of clear answers, from 0 to 100, that go to the 'Uncertain' output instead, so that a person checks some of them. The same requests are chosen in every run.",
		}),
	),
);

/**
 * Whether a request is a spot check. This depends on the request alone: a repeated run chooses the same ones, and a higher
 * percentage chooses these and more.
 */
export function isSpotChecked(body: object, percent: number): boolean {
	return hashOf(JSON.stringify(body)) < (percent / 100) * 2 ** 32;
}

/**
 * A number from 0 to 2 ** 32 - 1. Workflows depend on it, so it must never change.
 * @see G. Fowler, L. C. Noll and K.-P. Vo, FNV-1a, here of UTF-16 code units; then the finalizer of A. Appleby's
 * MurmurHash3, without which texts that only differ at their end have hashes close to each other
 */
function hashOf(text: string): number {
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index += 1) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	}
	hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
	return (hash ^ (hash >>> 16)) >>> 0;
}
