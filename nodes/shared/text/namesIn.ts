import { shorten } from '../../../client/shorten';

const MOST_NAMES = 20;

/** In characters. */
const LONGEST_NAME = 60;

/** Names in a sentence. Of many, the first ones, and how many more there are. */
export function namesIn(names: string[]): string {
	const shown = names.slice(0, MOST_NAMES).map((name) => shorten(name, LONGEST_NAME));
	const more = names.length - shown.length;
	return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}
