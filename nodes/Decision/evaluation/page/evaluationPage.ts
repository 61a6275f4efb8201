import { countOf, formatNumber } from '../../../shared/text/wording';
import type { Figures } from '../evaluateRows';
import type { EvaluatedFields } from '../evaluatedFields';
import { calibrationSection } from './calibrationSection';
import { comparisonFinding, comparisonSection, namesOf } from './comparisonSection';
import { confusionSection } from './confusionSection';
import { barTable } from './drawing';
import { html, Html, percent, quoted } from './html';
import { STYLE } from './style';
import { thresholdSection } from './thresholdSection';
import { explainNoMatch } from './explainNoMatch';

/**
 * Returns the report of an evaluation: one HTML document without scripts or requests. n8n's view of binary data keeps a style
 * element, but of the attributes only `class` and `style`, so the page relies on no others.
 */
export function evaluationPage(figures: Figures, fields: EvaluatedFields): string {
	const { rows, skipped, unanswered, comparison } = figures;
	const names = namesOf(fields);
	const mismatch = explainNoMatch(figures, fields);
	const finding = comparison
		? comparisonFinding(comparison, names)
		: (mismatch?.finding ?? accuracyFinding(figures));
	const details = mismatch
		? html`<section><p>${mismatch.finding}. ${mismatch.advice}</p></section>`
		: html`${accuracySection(figures)} ${thresholdSection(figures)} ${confusionSection(figures)}
			${calibrationSection(figures)}`;
	const used = [
		countOf(rows, 'row'),
		...(unanswered > 0 ? [`${formatNumber(unanswered)} of them without an answer`] : []),
		...(skipped > 0 ? [`${formatNumber(skipped)} left out because they have no expected value`] : []),
	];
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
					${comparisonSection(figures, names)} ${details}
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
export function accuracyFinding({ correct, rows }: Figures): Html {
	return html`${formatNumber(correct)} of ${countOf(rows, 'row is', 'rows are')} answered correctly`;
}

/** Shows how many answers are correct, compared with always giving the most frequent label. */
function accuracySection({ accuracy, accuracyInterval, baseline, classes }: Figures): Html {
	const { low, high } = accuracyInterval;
	const range = html`<span class="muted"
		>(most likely ${percent(low)} to ${percent(high)} on other rows of this kind)</span
	>`;
	return html`<section>
		<h2>
			${percent(accuracy)} are correct; always answering ${quoted(classes[0]!.label)} gives
			${percent(baseline)}
		</h2>
		${barTable([
			{ name: html`<b>Correct</b> ${range}`, share: accuracy, figure: percent(accuracy) },
			{
				name: html`Always answering ${quoted(classes[0]!.label)}`,
				share: baseline,
				figure: percent(baseline),
			},
		])}
	</section>`;
}
