import { countOf, grouped } from '../../../shared/text/wording';
import type { Figures } from '../evaluateRows';
import type { EvaluatedFields } from '../evaluatedFields';
import { accuracySection } from './accuracySection';
import { calibrationSection } from './calibrationSection';
import { comparisonFinding, comparisonSection, namesOf } from './comparisonSection';
import { confusionSection } from './confusionSection';
import { html, Html } from './html';
import { mistakesSection } from './mistakesSection';
import { STRANGE, strangeLabels } from './strangeLabels';
import { STYLE } from './style';
import { thresholdFinding, thresholdSection } from './thresholdSection';
import { quoted } from './wording';

/**
 * An evaluation as a page: one HTML document without scripts or requests. n8n's view of binary data keeps a style element,
 * and of attributes only `class` and `style`, so the page uses no others.
 * @param items the JSON of all input items, for the text of mistakes
 */
export function evaluationPage(figures: Figures, items: object[], fields: EvaluatedFields): string {
	const finding = findingOf(figures, fields);
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
					<header>
						<p class="muted">
							The answers in ${quoted(fields.answerField)}, compared with the expected answers in
							${quoted(fields.expectedField)}
						</p>
						<h1>${finding}</h1>
						<p class="muted">${rowsUsed(figures)}</p>
					</header>
					${sections(figures, items, fields)}
					<footer class="muted">
						A row without an answer counts as wrong and as not decided. Ranges: Wilson's score interval,
						95%.${figures.comparison ? ' Chance: McNemar’s exact test, two-sided.' : ''}
					</footer>
				</main>
			</body>
		</html> `;
	return page.markup;
}

/** What a person wants to know first: which of two is better, and otherwise where the threshold is. */
function findingOf(figures: Figures, fields: EvaluatedFields): Html {
	const { rows, unanswered, comparison } = figures;
	if (comparison && unanswered < rows) return comparisonFinding(comparison, namesOf(fields));
	return strangeLabels(figures) ? html`${STRANGE}` : thresholdFinding(figures);
}

function sections(figures: Figures, items: object[], fields: EvaluatedFields): Html {
	if (figures.unanswered === figures.rows) return noAnswers(fields);
	const strange = strangeLabels(figures);
	const compared = comparisonSection(figures, fields);
	if (strange) {
		return html`${compared}
			<section><p>${strange}</p></section>`;
	}
	return html`${compared} ${accuracySection(figures)} ${thresholdSection(figures)}
	${confusionSection(figures)} ${calibrationSection(figures)} ${mistakesSection(figures, items, fields)}`;
}

/** The most likely cause is a wrong field name. */
function noAnswers({ answerType, answerField }: EvaluatedFields): Html {
	const wanted = answerType === 'noul' ? 'a probability from 0 to 1' : 'text';
	return html`<section>
		<p>
			No row with an expected value has ${wanted} in the field ${quoted(answerField)}. Check its name, and
			whether the rows failed in an earlier node.
		</p>
	</section>`;
}

function rowsUsed({ rows, skipped, unanswered }: Figures): Html {
	const parts = [
		countOf(rows, 'row'),
		...(unanswered > 0 ? [`${grouped(unanswered)} of them without an answer`] : []),
		...(skipped > 0 ? [`${grouped(skipped)} left out because they have no expected value`] : []),
	];
	return html`${parts.join(', ')}`;
}
