import { listFirst } from '../../shared/text/lists';
import { countOf, formatNumber } from '../../shared/text/wording';
import type { RunContext } from '../../shared/context/RunContext';
import { UNCERTAIN_LABEL } from '../routing/outputNames';
import type { EvaluatedFields } from './evaluatedFields';
import type { Figures } from './evaluateRows';
import { findMissingBranches } from './missingBranches';
import { numberOfPartialRun } from './partialRun';
import type { SeenFields } from './seenFields';
import { comparisonFinding, incompleteRows, namesOf, describeDifference } from './page/comparisonSection';
import {
	accuracyFinding,
	describeOtherConfidence,
	describeRepeated,
	describeSeen,
	describeSwapped,
} from './page/evaluationPage';
import { Html, html, percent, quoted, withBoldNames } from './page/html';
import { decidesMore, optionFinding } from './page/optionSection';
import { describeTagMistakes } from './page/tagSection';
import {
	thresholdFinding,
	describeRowsNeeded,
	describeUncertain,
	describeUntested,
} from './page/thresholdSection';
import {
	areMisspelt,
	describeUnreadable,
	explainNoMatch,
	explainUnusedByCompared,
	explainUnusedLabels,
} from './page/explainNoMatch';

/** Says that the output for unclear answers was compared as if it were an answer. */
function describeUncertainRows({ labels }: Figures): Html | undefined {
	const uncertain = labels.find(({ label, support }) => label === UNCERTAIN_LABEL && support === 0);
	if (!uncertain) return undefined;
	return html`${countOf(uncertain.tooMany, 'row')} with ${quoted(UNCERTAIN_LABEL)}
	${uncertain.tooMany === 1 ? 'counts' : 'count'} as wrong. This is the output of Route for unclear answers:
	in 'Answer Field', name the field with the answer to the question.`;
}

/**
 * Says that empty cells are probably a no. Some tables leave out a box that is not ticked, so that the rows with the other answer are
 * those without an expected value.
 */
function describeOneAnswer({ answerType, labels, skipped }: Figures): Html | undefined {
	const [expected, ...others] = labels.filter(({ support }) => support > 0);
	if (answerType !== 'noul' || skipped === 0 || expected === undefined || others.length > 0) return undefined;
	return html`Every expected answer is ${quoted(expected.label)}. If an empty cell means the other answer,
	fill it in before this node.`;
}

/** Returns the hint above the output of an evaluation, as HTML. */
export function describeEvaluation(
	figures: Figures,
	fields: EvaluatedFields,
	seen: SeenFields[],
	run: RunContext,
): string {
	const { answerType, rows, skipped, failedWithAnswer, unanswered, accuracy, baseline, comparison } = figures;
	if (!run.mayShowData) return `${countOf(rows, 'row')} evaluated.`;
	const leftOut =
		skipped === 0
			? ''
			: ` ${countOf(skipped, 'item')} without an expected value ${skipped === 1 ? 'is' : 'are'} left out.`;
	const noAnswer =
		unanswered === 0
			? ''
			: ` ${countOf(unanswered, 'row')} without an answer ${unanswered === 1 ? 'counts' : 'count'} as wrong.`;
	const unreadable = describeUnreadable(figures, fields);
	const names = namesOf(fields);
	const mismatch = explainNoMatch(figures, fields);
	const lines = [
		html`${accuracyFinding(figures)} (${percent(accuracy)}). Always giving the most frequent
		${answerType === 'tags' ? 'tags' : 'label'} would reach
		${percent(baseline)}.${
			accuracy < baseline && !mismatch && !areMisspelt(figures)
				? ' Improve the questions before you use these answers.'
				: ''
		}${noAnswer}${leftOut}`,
		...(comparison
			? [
					html`${comparisonFinding(comparison, names)}: ${describeDifference(comparison, names)}
					${incompleteRows(comparison)}`,
				]
			: []),
		describeSeen(seen),
		explainUnusedByCompared(figures, fields),
		describePartialRun(figures, run),
		describeMissingBranches(fields, run),
		describeOneAnswer(figures),
		describeUncertainRows(figures),
		describeRepeated(figures),
		describeSwapped(figures, fields),
		describeOtherConfidence(figures, fields),
		...(failedWithAnswer === 0 ? [] : [html`${describeFailed(failedWithAnswer)}`]),
		mismatch ? undefined : unreadable,
		mismatch ? undefined : explainUnusedLabels(figures),
		mismatch ? html`${mismatch.finding}. ${mismatch.advice}` : describeUse(figures, fields),
	];
	const said = lines.filter((line) => line !== undefined);
	return said.map((line) => withBoldNames(line).trim()).join('<br>');
}

/** Says that no run of the node has all rows. */
function describePartialRun({ rows }: Figures, run: RunContext): Html | undefined {
	const number = numberOfPartialRun(run);
	if (number === undefined) return undefined;
	return html`Run ${formatNumber(number)} of this node: the figures are of ${countOf(rows, 'row')} only. To
	evaluate all rows at once, merge the branches before it, or connect it to the output 'done' of the loop.`;
}

/** Says which outputs of a "Route" do not lead here. */
function describeMissingBranches({ answerField }: EvaluatedFields, run: RunContext): Html | undefined {
	const sentences = findMissingBranches(run, answerField).map(({ node, labels }) => {
		const listed = new Html(listFirst(labels, 'finding', (label) => quoted(label).markup).join(', '));
		const outputs = labels.length === 1 ? 'output' : 'outputs';
		return html`Items from the ${outputs} ${listed} of ${quoted(node)} do not get here, so the figures do not
		hold for all rows. Merge all outputs before this node.`;
	});
	return sentences.length === 0
		? undefined
		: new Html(sentences.map(({ markup }) => markup.trim()).join(' '));
}

/** Says how failed rows count. The answer of a row that failed in the node that asks is an older one. */
function describeFailed(count: number): string {
	return `${countOf(count, 'row has', 'rows have')} an error beside the answer, and the answer counts. If the question failed there, the answer is an older one: filter such rows out.`;
}

/** Says what the answers can be used for: which threshold they need, or which tags go wrong. */
function describeUse(figures: Figures, fields: EvaluatedFields): Html {
	if (figures.answerType === 'tags') {
		return html`${describeTagMistakes(figures)}Tags have no confidence, so no threshold is recommended.`;
	}
	const sentences = [
		html`${thresholdFinding(figures, fields)}.`,
		describeRowsNeeded(figures),
		describeUncertain(figures),
		describeUntested(figures),
		decidesMore(figures) ? html`${optionFinding(figures)}.` : undefined,
	];
	const said = sentences.filter((sentence) => sentence !== undefined);
	return new Html(said.map(({ markup }) => markup.trim()).join(' '));
}
