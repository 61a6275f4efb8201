import { grouped } from '../../../shared/text/wording';
import type { Figures } from '../evaluateRows';
import type { EvaluatedFields } from '../evaluatedFields';
import type { Row } from '../readRows';
import { html, type Html } from './html';
import { decimal, isolated } from './wording';

const LISTED_MISTAKES = 10;

const EXCERPT_LENGTH = 240;

/** Enough items to see which of their fields differ. */
const COMPARED_ITEMS = 1000;

/** The mistakes to read first: the most confident ones, which a threshold catches last. */
export function mistakesSection(
	{ mistakes }: Figures,
	items: object[],
	fields: EvaluatedFields,
): Html | undefined {
	if (mistakes.length === 0) return undefined;
	const listed = mistakes.slice(0, LISTED_MISTAKES);
	const subject = subjectField(items, fields);
	const all = grouped(mistakes.length);
	const howMany = listed.length === mistakes.length ? all : `${listed.length} of ${all}`;
	return html`<section>
		<h2>Mistakes to read first: ${howMany}</h2>
		<p class="muted">
			The most confident come first. A threshold catches these last; better questions and options may prevent
			them. The report “Mistakes” lists all of them.
		</p>
		<ol class="mistakes">
			${listed.map((row) => mistake(row, textOf(items[row.index]!, subject)))}
		</ol>
	</section>`;
}

function mistake({ index, expected, answer, confidence }: Row, excerpt: string | undefined): Html {
	const answered =
		answer === null ? html`<i>no answer</i>` : html`answered <b class="wrong-text">${isolated(answer)}</b>`;
	return html`<li>
		<div>
			${excerpt === undefined ? html`<span class="muted">Item ${grouped(index)}</span>` : isolated(excerpt, EXCERPT_LENGTH)}
		</div>
		<div class="verdict">
			${answered}${confidence === null ? undefined : html` <span class="muted">at ${decimal(confidence)}</span>`},
			expected <b class="right-text">${isolated(expected)}</b> <span class="muted">(item ${index})</span>
		</div>
	</li>`;
}

/**
 * The field that says what the items are about: the one with the most text, where repeated texts count once. So a long
 * description of a level, which many items share, is not chosen.
 */
function subjectField(items: object[], { answerField, expectedField }: EvaluatedFields): string | undefined {
	const texts = new Map<string, Set<string>>();
	for (const item of items.slice(0, COMPARED_ITEMS)) {
		for (const [name, value] of Object.entries(item) as Array<[string, unknown]>) {
			if (typeof value !== 'string' || name === answerField || name === expectedField) continue;
			texts.set(name, (texts.get(name) ?? new Set()).add(value.trim()));
		}
	}
	const byLength = [...texts].map(([name, values]) => ({ name, length: [...values].join('').length }));
	return byLength.sort((a, b) => b.length - a.length)[0]?.name;
}

function textOf(item: object, field: string | undefined): string | undefined {
	const text = Object.entries(item).find(([name]) => name === field)?.[1] as unknown;
	return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}
