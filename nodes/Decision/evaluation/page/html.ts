import { escapeHtml } from '../../../shared/text/wording';

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
