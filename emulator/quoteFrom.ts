const FORMS: [RegExp, RegExp][] = [
	[/e-?mail/i, /[\w.+-]+@[\w-]+\.[\w.-]*\w/],
	[/\b(ur[il]|link|website)\b/i, /https?:\/\/[^\s"'<>)]+/],
	[/\b(phone|telephone|mobile)\b/i, /\+?\d[\d ()/-]{6,}\d/],
	[/date|deadline|\bday\b/i, /\d{4}-\d{2}-\d{2}|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/],
	[
		/\b(amount|price|cost|total)\b/i,
		/[€$£]\s?\d[\d.,]*\d|\d[\d.,]*\s?(?:€|euros?|dollars?|pounds?|EUR|USD|GBP)/,
	],
	[/\b(number|reference|id)\b|_(number|id)\b/i, /#?\b[A-Z]{0,4}-?\d[\d-]{1,}\b/],
	[
		/(^|_| )name\b/i,
		/(?<=\b(?:[Mm]y name is|I am|I'm|[Rr]egards,?|[Yy]ours,?|[Tt]hanks,?|[Tt]his is)\s+)\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)*/u,
	],
];

/** The part of a text that has the wanted form, such as an email address; undefined if there is none. */
export function quoteFrom(text: string, wanted: string): string | undefined {
	for (const [subject, form] of FORMS) {
		const found = subject.test(wanted.replaceAll('_', ' ')) ? form.exec(text)?.[0] : undefined;
		if (found !== undefined) return found;
	}
	return undefined;
}
