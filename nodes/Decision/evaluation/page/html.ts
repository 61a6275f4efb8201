import { shorten } from '../../../../client/values/shorten';
import { escapeHtml } from '../../../shared/text/wording';

const MAX_LABEL_CHARS = 60;

/** These characters change the direction of writing, and can make a text look like a different one. */
const DIRECTION_MARKS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** Holds markup that is safe to put into a page as it stands. */
export class Html {
	constructor(readonly markup: string) {}
}

/** Describes a value in a template. Text and numbers are escaped, and undefined adds nothing. */
type HtmlPart = Html | Html[] | string | number | undefined;

/**
 * Makes markup from a template. Inserted values are escaped, unless they are markup themselves. Each run of white space in the
 * template becomes one space, because it only indents the code.
 */
export function html(markup: TemplateStringsArray, ...parts: HtmlPart[]): Html {
	return new Html(
		String.raw({ raw: markup.map((text) => text.replace(/\s+/g, ' ')) }, ...parts.map(toMarkup)),
	);
}

function toMarkup(part: HtmlPart): string {
	if (part === undefined) return '';
	if (part instanceof Html) return part.markup;
	if (Array.isArray(part)) return part.map(({ markup }) => markup).join('');
	return escapeHtml(String(part));
}

/** Shortens a label of the input, and keeps its direction of writing from changing that of the text around it. */
export function isolateDirection(label: string, maxChars = MAX_LABEL_CHARS): Html {
	return html`<bdi>${shorten(label.replace(DIRECTION_MARKS, ''), maxChars)}</bdi>`;
}

export function quoted(label: string): Html {
	return html`“${isolateDirection(label)}”`;
}

/** Returns the markup for a hint, in which names are bold like everywhere in hints, and not quoted. */
export function withBoldNames({ markup }: Html): string {
	return markup.replaceAll('“<bdi>', '<b>').replaceAll('</bdi>”', '</b>');
}

/** Writes a share as a whole percentage. If 0% or 100% would not be exact, it adds a decimal. */
export function percent(share: number): string {
	const whole = Math.round(share * 100);
	const looksExact = (whole === 0 && share > 0) || (whole === 100 && share < 1);
	return looksExact ? precisePercent(share) : `${whole}%`;
}

/** Writes a share as a percentage with one decimal. It is rounded down, but a share above 0 gives at least 0.1%. */
export function precisePercent(share: number): string {
	const tenths = share > 0 ? Math.max(1, Math.floor(share * 1000 + 1e-9)) : 0;
	return `${(tenths / 10).toFixed(1)}%`;
}

/** Writes a share as a percentage, or a dash for null. */
export function percentOrNone(share: number | null, toText = percent): string {
	return share === null ? '–' : toText(share);
}
