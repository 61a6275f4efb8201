import { countOf, formatNumber } from '../../../shared/text/wording';
import type { Figures } from '../evaluateRows';
import type { EvaluatedFields } from '../evaluatedFields';
import { textOfAnswer } from '../Row';
import type { SeenFields } from '../seenFields';
import { calibrationSection } from './calibrationSection';
import { comparisonFinding, comparisonSection, namesOf } from './comparisonSection';
import { confusionSection } from './confusionSection';
import { barTable } from './drawing';
import { html, Html, percent, quoted } from './html';
import { optionSection } from './optionSection';
import { STYLE } from './style';
import { tagSection } from './tagSection';
import { thresholdSection } from './thresholdSection';
import { explainNoMatch, explainUnusedByCompared, explainUnusedLabels } from './explainNoMatch';
import { present } from '../../../shared/values/present';

/**
 * Returns the report of an evaluation: one HTML document without scripts or requests. n8n's view of binary data keeps a style
 * element, but of the attributes only `class` and `style`, so the page relies on no others.
 */
export function evaluationPage(figures: Figures, fields: EvaluatedFields, seen: SeenFields[]): string {
	const { answerType, rows, skipped, failedWithAnswer, unanswered, unreadable, comparison } = figures;
	const names = namesOf(fields);
	const mismatch = explainNoMatch(figures, fields);
	const finding = comparison
		? comparisonFinding(comparison, names)
		: (mismatch?.finding ?? accuracyFinding(figures));
	const details = mismatch
		? html`<section><p>${mismatch.finding}. ${mismatch.advice}</p></section>`
		: html`${noteSection(explainUnusedLabels(figures))} ${accuracySection(figures)}
			${answerType === 'tags' ? tagSection(figures) : labelSections(figures, fields)}`;
	const used = present([
		countOf(rows, 'row'),
		unanswered > 0 && `${formatNumber(unanswered)} of them without an answer`,
		unreadable.count > 0 && `${formatNumber(unreadable.count)} with a value of another type`,
		failedWithAnswer > 0 && `${formatNumber(failedWithAnswer)} with an error beside the answer`,
		skipped > 0 &&
			`${formatNumber(skipped)} left out because ${skipped === 1 ? 'it has' : 'they have'} no expected value`,
	]);
	const page = html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>Evaluation: ${finding}</title>
				<style>
					${new Html(STYLE)}
				</style>
			</head>
			<body>
				<main>
					<p class="muted">
						The answers in ${quoted(fields.answerField)}, compared with the expected answers in
						${quoted(fields.expectedField)}
					</p>
					<h1>${finding}</h1>
					<p class="muted">${used.join(', ')}</p>
					${noteSection(describeSeen(seen))} ${noteSection(describeRepeated(figures))}
					${noteSection(describeSwapped(figures, fields))}
					${noteSection(describeOtherConfidence(figures, fields))} ${comparisonSection(figures, names)}
					${noteSection(explainUnusedByCompared(figures, fields))} ${details}
					<footer class="muted">
						A row without an answer counts as wrong and as not decided. Ranges: Wilson's score interval,
						95%.${comparison ? ' Chance: McNemar’s exact test, two-sided.' : ''} The report “Mistakes” lists
						the wrong answers.
					</footer>
				</main>
			</body>
		</html> `;
	return page.markup;
}

/** Returns how many answers are correct as a sentence, without the final full stop. */
export function accuracyFinding({ answerType, correct, rows }: Figures): Html {
	const of = html`${formatNumber(correct)} of`;
	return answerType === 'tags'
		? html`${of} ${countOf(rows, 'row has', 'rows have')} exactly the expected tags`
		: html`${of} ${countOf(rows, 'row is', 'rows are')} answered correctly`;
}

/** Says how many rows repeat another one, if they are many. They count as if they were further rows, but prove nothing more. */
export function describeRepeated({ repeated, rows }: Figures): Html | undefined {
	if (repeated === 0) return undefined;
	return html`${formatNumber(repeated)} of ${countOf(rows, 'row')} repeat another: remove duplicates, or the
	figures look more certain than they are.`;
}

/** Says that the parameters are probably swapped. Rows without an answer would then be left out instead of counting as wrong. */
export function describeSwapped(
	{ isSwapped }: Figures,
	{ answerField, expectedField }: EvaluatedFields,
): Html | undefined {
	if (!isSwapped) return undefined;
	return html`'Answer Field' and 'Expected Field' may be swapped: ${quoted(expectedField)} looks like answers
	of the service, and ${quoted(answerField)} does not.`;
}

/** Says that the confidence may belong to other answers, so that a threshold for it means nothing. */
export function describeOtherConfidence(
	{ hasOtherConfidence }: Figures,
	{ answerField, confidenceField = '' }: EvaluatedFields,
): Html | undefined {
	if (!hasOtherConfidence) return undefined;
	return html`The thresholds are for ${quoted(confidenceField)}, but ${quoted(answerField)} has a confidence
	of its own: to use that one, empty 'Confidence Field'.`;
}

/** Says which nodes sent the model what their answers are compared with, so that it may have copied it. */
export function describeSeen(seen: SeenFields[]): Html | undefined {
	const sentences = seen.map(({ node, fields }) => {
		const listed = new Html(fields.map((field) => quoted(field).markup).join(' and '));
		return html`In ${quoted(node)}, the model saw ${listed} before it answered, so the figures do not hold. In
		that node, name only the other fields in 'Fields to Send' of 'Whole Input Item'.`;
	});
	return sentences.length === 0 ? undefined : new Html(sentences.map(({ markup }) => markup).join(' '));
}

function noteSection(note: Html | undefined): Html | undefined {
	return note && html`<section><p>${note}</p></section>`;
}

/** Shows what is known of answers that are one label each, and have a confidence. */
function labelSections(figures: Figures, fields: EvaluatedFields): Html {
	return html`${thresholdSection(figures, fields)} ${optionSection(figures)} ${confusionSection(figures)}
	${calibrationSection(figures)}`;
}

/** Shows how many answers are correct, compared with always giving the most frequent label. */
function accuracySection(figures: Figures): Html {
	const { accuracy, accuracyInterval, baseline, mostExpected } = figures;
	const { low, high } = accuracyInterval;
	const text = textOfAnswer(mostExpected);
	const always = text === '' ? html`that none applies` : quoted(text);
	const range = html`<span class="muted"
		>(most likely ${percent(low)} to ${percent(high)} on other rows of this kind)</span
	>`;
	return html`<section>
		<h2>${percent(accuracy)} are correct; always answering ${always} gives ${percent(baseline)}</h2>
		${barTable([
			{ name: html`<b>Correct</b> ${range}`, share: accuracy, figure: percent(accuracy) },
			{
				name: html`Always answering ${always}`,
				share: baseline,
				figure: percent(baseline),
			},
		])}
	</section>`;
}
