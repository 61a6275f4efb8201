import { increase } from '../../../../client/increase';
import { countOf, grouped } from '../../../shared/text/wording';
import type { ConfusionPair, LabelFigures } from '../confusion';
import type { Figures } from '../evaluateRows';
import { barTable } from './drawing';
import { html, type Html } from './html';
import { isolated, percent, quoted } from './wording';

/** More labels than this do not fit beside each other. */
const MOST_LABELS = 15;

/** Up to this many columns, their names are written horizontally. */
const LEVEL_HEADINGS = 4;

const LISTED_PAIRS = 10;

/** From this share of a row on, a cell is so dark that its number is light. */
const STRONG = 0.6;

const LINE_LENGTH = 40;

const COLUMN_LENGTH = 22;

/** Which labels are mistaken for which. */
export function confusionSection(figures: Figures): Html {
	const { confusion, labels, unanswered } = figures;
	const mistaken = confusion
		.filter(({ expected, answer }) => answer !== expected && answer !== null)
		.sort((a, b) => b.count - a.count);
	const [worst] = mistaken;
	const finding = worst
		? html`${quoted(worst.expected)} is most often mistaken for ${quoted(worst.answer)}:
			${countOf(worst.count, 'time')}`
		: html`${unanswered > 0 ? 'Every answer given is correct' : 'No label is mistaken for another'}`;
	return html`<section>
		<h2>${finding}</h2>
		${labels.length > MOST_LABELS && worst ? mistakenList(mistaken, labels) : undefined} ${matrix(figures)}
	</section>`;
}

function mistakenList(mistaken: ConfusionPair[], labels: LabelFigures[]): Html {
	const support = new Map(labels.map((label) => [label.label, label.support]));
	return barTable(
		mistaken.slice(0, LISTED_PAIRS).map(({ expected, answer, count }) => {
			const total = support.get(expected)!;
			return {
				name: html`${isolated(expected)} <span class="muted">answered as</span> ${isolated(answer!)}`,
				share: count / total,
				figure: html`${grouped(count)} <span class="muted">of ${grouped(total)}</span>`,
				isWrong: true,
			};
		}),
	);
}

function matrix(figures: Figures): Html {
	const { labels, confusion, unanswered } = figures;
	const drawn = drawnLabels(figures);
	const columns = [...drawn.map(({ label }) => label), ...(unanswered > 0 ? [null] : [])];
	const keyOf = (expected: string, answer: string | null) => JSON.stringify([expected, answer]);
	const counts = new Map(confusion.map(({ expected, answer, count }) => [keyOf(expected, answer), count]));
	const cell = ({ label, support }: LabelFigures, column: string | null) => {
		const count = counts.get(keyOf(label, column));
		if (count === undefined) return html`<td${column === label ? html` class="diagonal"` : undefined}></td>`;
		const share = count / support;
		const colour = `rgba(var(--${column === label ? 'right' : 'wrong'}-rgb),${(0.15 + 0.85 * share).toFixed(2)})`;
		return html`<td class="${share < STRONG ? '' : 'strong'}" style="background:${colour}">
			${grouped(count)}
		</td>`;
	};
	const row = (figure: LabelFigures) =>
		html`<tr>
			<th class="line">${isolated(figure.label, LINE_LENGTH)}</th>
			${columns.map((column) => cell(figure, column))}
			<td class="found">${figure.recall === null ? '–' : percent(figure.recall)}</td>
		</tr>`;
	const heading = (column: string | null) =>
		html`<th class="column">
			<div>${column === null ? html`<i>no answer</i>` : isolated(column, COLUMN_LENGTH)}</div>
		</th>`;
	const left = labels.length - drawn.length;
	return html`<p class="muted">
			Each row of the matrix is an expected label, each column an answer. Blue cells are correct, orange cells
			are wrong; the stronger the colour, the larger the share of the
			row.${left > 0 ? ` The ${grouped(left)} labels with the fewest mistakes are left out.` : ''}
		</p>
		<div class="scroll">
			<table class="matrix${columns.length <= LEVEL_HEADINGS ? ' level' : ''}">
				<thead>
					<tr>
						<th class="corner">expected</th>
						${columns.map(heading)}
						<th class="found">found</th>
					</tr>
				</thead>
				<tbody>
					${drawn.map(row)}
				</tbody>
			</table>
		</div>`;
}

/** All labels, or if there are too many, those with the most mistakes. */
function drawnLabels({ labels, confusion }: Figures): LabelFigures[] {
	const mistakes = new Map<string | null, number>();
	for (const { expected, answer, count } of confusion) {
		if (expected === answer) continue;
		increase(mistakes, expected, count);
		increase(mistakes, answer, count);
	}
	const mostMistaken = labels.toSorted((a, b) => (mistakes.get(b.label) ?? 0) - (mistakes.get(a.label) ?? 0));
	const drawn = new Set(mostMistaken.slice(0, MOST_LABELS));
	return labels.filter((label) => drawn.has(label));
}
