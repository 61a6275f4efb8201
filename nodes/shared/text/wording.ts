import { shorten } from '../../../client/values/shorten';
import { present } from '../values/present';

/** A hint shortens longer values, because people only glance at hints. */
const MAX_VALUE_CHARS = 40;

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Writes a number with a comma between thousands. */
export function formatNumber(number: number): string {
	return number.toLocaleString('en-US');
}

/** Writes a number with its noun, such as "1 item" or "1,200 items". */
export function countOf(number: number, singular: string, plural = `${singular}s`): string {
	return `${formatNumber(number)} ${number === 1 ? singular : plural}`;
}

/** Writes how many items of all something concerns, such as "in 3 of 50 items". */
export function inItems(count: number, all: number): string {
	return `in ${formatNumber(count)} of ${countOf(all, 'item')}`;
}

/** Writes an age, such as "17 minutes ago". A time of day would be in the server's time zone, which may not be the reader's. */
export function formatAge(ageMs: number): string {
	const minutes = Math.floor(ageMs / 60_000);
	return minutes < 1 ? 'less than a minute ago' : `${countOf(minutes, 'minute')} ago`;
}

/** Writes token counts, such as "Tokens: 1,200 in, 3 out." Returns undefined if the service reported none. */
export function describeTokens(input: number | null, output: number | null): string | undefined {
	const known = present([
		input !== null && `${formatNumber(input)} in`,
		output !== null && `${formatNumber(output)} out`,
	]);
	return known.length === 0 ? undefined : `Tokens: ${known.join(', ')}.`;
}

/** Escapes text, so that HTML shows it unchanged. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Writes a value for a hint: shortened, and escaped, because n8n renders hints as HTML. */
export function hintValue(value: string): string {
	return escapeHtml(shorten(value, MAX_VALUE_CHARS));
}
