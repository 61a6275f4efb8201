import { countOf, formatNumber } from '../../../shared/text/wording';
import type { EvaluatedFields } from '../evaluatedFields';
import type { Figures } from '../evaluateRows';
import { html, Html, quoted } from './html';

const MAX_LISTED_LABELS = 10;

const MAX_UNUSED_LABELS = 3;

/**
 * Explains why no answer can be correct: either no row has an answer, or no expected label occurs among the answers. The likely
 * reason is a wrong name of a field or of an option. Returns a finding without its full stop, and advice. Returns undefined if
 * some answer can be correct.
 * @param show writes a label or a field name of the input as markup
 */
export function explainNoMatch(
	figures: Figures,
	fields: EvaluatedFields,
	show: (label: string) => Html = quoted,
): { finding: Html; advice: Html } | undefined {
	const { answerType, rows, unanswered, correct, classes } = figures;
	const { answerField } = fields;
	if (unanswered === rows) {
		const what = answerType === 'noul' ? 'a probability' : 'an answer';
		const unreadable = describeUnreadable(figures, fields, show);
		return {
			finding: html`No row has ${what} in ${show(answerField)}`,
			advice: unreadable ?? html`Check 'Answer Field', and whether the rows failed in an earlier node.`,
		};
	}
	if (correct > 0) return undefined;
	const expected = classes.filter(({ support }) => support > 0);
	const answered = classes.filter(({ precision }) => precision !== null);
	if (expected.length === 0 || answered.some(({ support }) => support > 0)) return undefined;
	const listOf = (some: typeof classes) => {
		if (some.length === 0) return html`none`;
		const shown = some.slice(0, MAX_LISTED_LABELS).map(({ label }) => show(label).markup);
		const more = some.length - shown.length;
		return new Html(more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', '));
	};
	return {
		finding: html`No expected label occurs among the answers`,
		advice: html`Expected: ${listOf(expected)}. Answered: ${listOf(answered)}. Check 'Answer Field' and
		'Expected Field'${answerType === 'noul' ? '' : html`, the 'Answer Type', and the names of the options`}.`,
	};
}

/** Says what an answer of each type is, in the words of the editor. */
const ANSWER_NOUNS = { choice: 'an option or a level', noul: 'a probability', tags: 'a list of tags' };

/** Says how many rows count as unanswered although they hold a value. Returns undefined if there are none. */
export function describeUnreadable(
	{ answerType, unreadable: { count, example } }: Figures,
	{ answerField }: EvaluatedFields,
	show: (label: string) => Html = quoted,
): Html | undefined {
	if (example === undefined) return undefined;
	return html`${countOf(count, 'row has', 'rows have')} a value in ${show(answerField)} that is not
	${ANSWER_NOUNS[answerType]}, such as ${show(example)}. Check 'Answer Field' and 'Answer Type'.`;
}

/**
 * Names the expected labels that no answer is although others are answered as expected, and says what to check. Returns undefined if
 * there are none.
 * @param show writes a label of the input as markup
 */
export function explainUnusedLabels(
	{ unusedLabels }: Pick<Figures, 'unusedLabels'>,
	show: (label: string) => Html = quoted,
): Html | undefined {
	if (unusedLabels.length === 0) return undefined;
	const sentences = unusedLabels.slice(0, MAX_UNUSED_LABELS).map(({ label, rows, answered }) => {
		const are = answered?.rows === 1 ? 'is' : 'are';
		const instead =
			answered &&
			html`, and ${formatNumber(answered.rows)} of them ${are} answered ${show(answered.label)}, which no row
			expects`;
		return html`${countOf(rows, 'row expects', 'rows expect')} ${show(label)}, which no answer is${instead}.`;
	});
	const more = unusedLabels.length - sentences.length;
	const others = more > 0 ? html`${countOf(more, 'more label')} like this.` : undefined;
	const all = [...sentences, ...(others ? [others] : [])].map(({ markup }) => markup);
	return html`${new Html(all.join(' '))} Check that labels are spelled like the options.`;
}

/**
 * Says the same of the answers in the field to compare with. If an option was renamed with the wording, these answers are wrong by their
 * spelling alone.
 */
export function explainUnusedByCompared(
	{ unusedByCompared }: Figures,
	{ compareField }: EvaluatedFields,
	show: (label: string) => Html = quoted,
): Html | undefined {
	const explained = explainUnusedLabels({ unusedLabels: unusedByCompared }, show);
	return (
		explained && html`In ${show(compareField)}, ${explained} Until they are, the comparison means nothing.`
	);
}
