import type { Figures } from '../evaluateRows';
import { html, Html } from './html';
import { quoted } from './wording';

const MOST_LISTED = 10;

/**
 * Which labels were expected and which were answered, where no label is both: the answers are then those of other
 * questions, or their options have other names. Undefined otherwise.
 * @param toHtml a label as it is shown
 */
export function strangeLabels(
	{ answerType, rows, labels }: Figures,
	toHtml: (label: string) => Html = quoted,
): Html | undefined {
	const expected = labels.filter(({ support }) => support > 0);
	const answered = labels.filter(({ precision }) => precision !== null);
	if (answerType === 'noul' || rows === 1 || answered.length === 0) return undefined;
	const listOf = (some: typeof labels) => {
		const shown = some.slice(0, MOST_LISTED).map(({ label }) => toHtml(label).markup);
		const more = some.length - shown.length;
		return new Html(more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', '));
	};
	if (answered.some(({ support }) => support > 0)) return undefined;
	return html`${STRANGE}. Expected: ${listOf(expected)}. Answered: ${listOf(answered)}. Check 'Answer Field'
	and 'Expected Field', and the names of the options.`;
}

export const STRANGE = 'No expected label occurs among the answers';
