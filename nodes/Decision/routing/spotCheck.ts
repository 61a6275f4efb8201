import { decisive } from '../../shared/fields/expressionRules';
import { numberField, option, orDefault } from '../../shared/fields/Field';

/** The value is the percentage of clear answers that a person should check. */
export const spotCheck = option(
	orDefault(
		decisive(
			numberField({
				displayName: 'Spot Check (Percent)',
				name: 'spotCheck',
				typeOptions: { minValue: 0, maxValue: 100, numberPrecision: 2 },
				default: 0,
				description:
					"Percentage of clear answers, from 0 to 100 (5 is one in twenty), that go to the 'Uncertain' output instead, so that a person checks some of them. The same requests are chosen in every run.",
			}),
		),
	),
);

/**
 * Returns whether a request is chosen for a spot check. This depends only on the request, so a repeated run chooses the same
 * requests, and a higher percentage chooses those and others.
 */
export function isSpotChecked(body: object, percent: number): boolean {
	return hashOf(JSON.stringify(body)) < (percent / 100) * 2 ** 32;
}

/**
 * Returns a number from 0 to 2 ** 32 - 1. It must never change, or workflows would choose other requests for spot checks.
 * @see FNV-1a by G. Fowler, L. C. Noll and K.-P. Vo, over UTF-16 code units, followed by the finalizer of A. Appleby's MurmurHash3.
 * Without the finalizer, texts that differ only at their end would have similar hashes.
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
