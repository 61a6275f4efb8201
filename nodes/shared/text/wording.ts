import { shorten } from '../../../client/response/shorten';

/** In characters. People only glance at a hint. */
const MAX_VALUE_LENGTH = 40;

const MAX_NAMES = 20;

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Large runs have large numbers, so they get a comma between thousands. */
export function grouped(number: number): string {
	return number.toLocaleString('en-US');
}

/** Such as "1 item" and "1,200 items". */
export function countOf(number: number, singular: string, plural = `${singular}s`): string {
	return `${grouped(number)} ${number === 1 ? singular : plural}`;
}

/** Such as "17 minutes ago". Clock times would be those of the server, not of the reader. */
export function agoOf(milliseconds: number): string {
	const minutes = Math.floor(milliseconds / 60_000);
	return minutes < 1 ? 'less than a minute ago' : `${countOf(minutes, 'minute')} ago`;
}

/** Such as "Tokens: 1,200 in, 3 out."; undefined if the service did not report them. */
export function describeTokens(input: number | null, output: number | null): string | undefined {
	const known = [
		...(input === null ? [] : [`${grouped(input)} in`]),
		...(output === null ? [] : [`${grouped(output)} out`]),
	];
	return known.length === 0 ? undefined : `Tokens: ${known.join(', ')}.`;
}

/** Text as HTML that shows it as it is. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** A value as a hint shows it: short, and escaped, because n8n renders hints as HTML. */
export function hintValue(value: string): string {
	return escapeHtml(shorten(value, MAX_VALUE_LENGTH));
}

/**
 * Names in a sentence. Of many, the first ones, and how many more there are.
 * @param longest in characters: longer names are cut off
 */
export function namesIn(names: string[], longest = 60): string {
	const shown = names.slice(0, MAX_NAMES).map((name) => shorten(name, longest));
	const more = names.length - shown.length;
	return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}
