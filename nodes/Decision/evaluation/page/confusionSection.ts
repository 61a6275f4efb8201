import { countOf, formatNumber } from '../../../shared/text/wording';
import type { ConfusionPair, LabelFigures } from '../confusion';
import type { Figures } from '../evaluateRows';
import { textOfAnswer } from '../Row';
import { highest } from './highest';
import { html, isolateDirection, percentOrNone, quoted, type Html } from './html';

/** More labels than this do not fit next to each other. */
const MAX_DRAWN_LABELS = 15;

/** With more columns than this, their headings are written vertically. */
const MAX_HORIZONTAL_HEADINGS = 4;

/** From this share of its row on, a cell is so dark that its number needs a light colour. */
const MIN_STRONG_SHARE = 0.6;

const MAX_ROW_LABEL_CHARS = 40;

const MAX_COLUMN_LABEL_CHARS = 22;

/** Shows which labels are mistaken for which, as a matrix. */
export function confusionSection(figures: Figures): Html {
	const worst = worstMistake(figures.confusion);
	const finding = worst
		? html`${quoted(textOfAnswer(worst.expected))} is most often mistaken for
			${quoted(textOfAnswer(worst.answer!))}: ${countOf(worst.count, 'time')}`
		: html`No label is mistaken for another`;
	return html`<section>
		<h2>${finding}</h2>
		${matrix(figures, drawnLabels(figures))}
	</section>`;
}

function worstMistake(confusion: ConfusionPair[]): ConfusionPair | undefined {
	let worst: ConfusionPair | undefined;
	for (const pair of confusion) {
		const isMistake = pair.answer !== null && pair.answer !== pair.expected;
		if (isMistake && pair.count > (worst?.count ?? 0)) worst = pair;
	}
	return worst;
}

function matrix({ labels, confusion, unanswered }: Figures, drawn: Map<string, LabelFigures>): Html {
	const columns = [...drawn.keys(), ...(unanswered > 0 ? [null] : [])];
	const rows = new Map([...drawn.keys()].map((label) => [label, new Map<string | null, number>()]));
	for (const { expected, answer, count } of confusion) {
		rows.get(textOfAnswer(expected))?.set(answer === null ? null : textOfAnswer(answer), count);
	}
	const cell = ({ label, support }: LabelFigures, column: string | null) => {
		const isRight = column === label;
		const count = rows.get(label)!.get(column);
		if (count === undefined) return html`<td${isRight ? html` class="diagonal"` : undefined}></td>`;
		const share = count / support;
		const colour = `rgba(var(--${isRight ? 'right' : 'wrong'}-rgb),${(0.15 + 0.85 * share).toFixed(2)})`;
		return html`<td class="${share < MIN_STRONG_SHARE ? '' : 'strong'}" style="background:${colour}">
			${formatNumber(count)}
		</td>`;
	};
	const row = (figure: LabelFigures) =>
		html`<tr>
			<th class="line">${isolateDirection(figure.label, MAX_ROW_LABEL_CHARS)}</th>
			${columns.map((column) => cell(figure, column))}
			<td class="found">${percentOrNone(figure.recall)}</td>
		</tr>`;
	const heading = (column: string | null) => {
		const text = column === null ? html`<i>no answer</i>` : isolateDirection(column, MAX_COLUMN_LABEL_CHARS);
		return html`<th class="column">
			<div>${text}</div>
		</th>`;
	};
	const left = labels.length - drawn.size;
	return html`<p class="muted">
			Each row of the matrix is an expected label, each column an answer. Blue cells are correct, orange cells
			are wrong; the stronger the colour, the larger the share of the
			row.${left > 0 ? ` Left out: ${countOf(left, 'label')} with the fewest mistakes.` : ''}
		</p>
		<div class="scroll">
			<table class="matrix${columns.length <= MAX_HORIZONTAL_HEADINGS ? ' level' : ''}">
				<thead>
					<tr>
						<th class="corner">expected</th>
						${columns.map(heading)}
						<th class="found">found</th>
					</tr>
				</thead>
				<tbody>
					${[...drawn.values()].map(row)}
				</tbody>
			</table>
		</div>`;
}

/** Returns the labels to draw: all of them, or if there are too many, those with the most mistakes. */
function drawnLabels({ labels }: Figures): Map<string, LabelFigures> {
	const kept = new Set(highest(labels, MAX_DRAWN_LABELS, ({ missing, tooMany }) => missing + tooMany));
	return new Map(labels.filter((one) => kept.has(one)).map((one) => [one.label, one]));
}
