import { shorten } from '../../../../client/response/shorten';
import { escapeHtml } from '../../../shared/text/wording';

const LABEL_LENGTH = 60;

/** Characters that turn the direction of writing, and make a text look like another. */
const DIRECTION_MARKS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** Markup that is safe to put into a page as it stands. */
export class Html {
	constructor(readonly markup: string) {}
}

/** Texts and numbers are data, and are escaped. Undefined adds nothing. */
type HtmlPart = Html | Html[] | string | number | undefined;

/**
 * Markup from a template. Inserted values are escaped unless they are markup themselves. The white space of the template,
 * which only lays out the code, becomes single spaces.
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

/** A label of the input: shortened, and in its own direction of writing, which does not change that of the text around it. */
export function isolated(label: string, length = LABEL_LENGTH): Html {
	return html`<bdi>${shorten(label.replace(DIRECTION_MARKS, ''), length)}</bdi>`;
}

/** A label in running text. */
export function quoted(label: string): Html {
	return html`“${isolated(label)}”`;
}

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

/** The percentage of a share that may not exist. */
export function percentOrNone(share: number | null, toText = percent): string {
	return share === null ? '–' : toText(share);
}
