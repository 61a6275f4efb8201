import type { Figures } from '../evaluateRows';
import type { EvaluatedFields, Row } from '../readRows';
import { html, type Html } from './html';
import { decimal, isolated, whole } from './wording';

const LISTED_MISTAKES = 10;

const EXCERPT_LENGTH = 240;

/** The mistakes to read first: those that no threshold keeps out. */
export function mistakesSection(
	{ mistakes }: Figures,
	items: object[],
	fields: EvaluatedFields,
): Html | undefined {
	if (mistakes.length === 0) return undefined;
	const listed = mistakes.slice(0, LISTED_MISTAKES);
	const all = whole(mistakes.length);
	const howMany = listed.length === mistakes.length ? all : `${listed.length} of ${all}`;
	return html`<section>
		<h2>Mistakes to read first: ${howMany}</h2>
		<p class="muted">
			The most confident come first. A threshold catches these last; better questions and options may prevent
			them. The report “Mistakes” lists all.
		</p>
		<ol class="mistakes">
			${listed.map((row) => mistake(row, excerptOf(items[row.index]!, fields)))}
		</ol>
	</section>`;
}

function mistake({ index, expected, answer, confidence }: Row, excerpt: string | undefined): Html {
	const answered =
		answer === null ? html`<i>no answer</i>` : html`answered <b class="wrong-text">${isolated(answer)}</b>`;
	return html`<li>
		<div>
			${excerpt === undefined ? html`<span class="muted">Item ${whole(index)}</span>` : isolated(excerpt, EXCERPT_LENGTH)}
		</div>
		<div class="verdict">
			${answered}${confidence === null ? undefined : html` <span class="muted">at ${decimal(confidence)}</span>`},
			expected <b class="right-text">${isolated(expected)}</b> <span class="muted">(item ${index})</span>
		</div>
	</li>`;
}

/** What an item is about: the longest of its texts that is neither its answer nor what was expected. */
function excerptOf(item: object, { answerField, expectedField }: EvaluatedFields): string | undefined {
	return Object.entries(item)
		.filter(([name]) => name !== answerField && name !== expectedField)
		.map(([, value]: [string, unknown]) => value)
		.filter((value) => typeof value === 'string' && value.trim() !== '')
		.reduce<string | undefined>(
			(longest, value) => (String(value).length > (longest?.length ?? 0) ? String(value) : longest),
			undefined,
		);
}
