import { shorten } from '../../../client/shorten';

const MOST_NAMES = 20;

/**
 * Names in a sentence. Of many, the first ones, and how many more there are.
 * @param longest in characters: longer names are cut off
 */
export function namesIn(names: string[], longest = 60): string {
	const shown = names.slice(0, MOST_NAMES).map((name) => shorten(name, longest));
	const more = names.length - shown.length;
	return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}
