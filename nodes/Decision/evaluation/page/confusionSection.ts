import { increase } from '../../../../client/increase';
import { countOf } from '../../../shared/text/countOf';
import { grouped } from '../../../shared/text/grouped';
import type { ConfusionPair, LabelFigures } from '../confusion';
import type { Figures } from '../evaluateRows';
import { percent } from '../percent';
import { html, type Html } from './html';
import { toPercent } from './plot';
import { isolated, quoted } from './wording';

/** Up to this many labels, the matrix has numbers in its cells. */
const READABLE_LABELS = 15;

/** Up to this many labels, the names of columns are written horizontally. */
const LEVEL_HEADINGS = 4;

/** More labels than this are not drawn: a page has no room for them. */
const DRAWN_LABELS = 100;

const LISTED_PAIRS = 10;

const SHADES = 5;

const LINE_LENGTH = 40;

const COLUMN_LENGTH = 22;

/** Which labels are mistaken for which. */
export function confusionSection(figures: Figures): Html {
	const mistaken = figures.confusion
		.filter(({ expected, answer }) => answer !== expected && answer !== null)
		.sort((a, b) => b.count - a.count);
	const isReadable = figures.labels.length <= READABLE_LABELS;
	return html`<section>
		<h2>${confusionFinding(mistaken[0], figures)}</h2>
		${isReadable || mistaken.length === 0 ? undefined : mistakenList(mistaken, figures.labels)}
		${matrix(figures, isReadable)}
	</section>`;
}

function confusionFinding(worst: ConfusionPair | undefined, { unanswered }: Figures): Html {
	if (worst) {
		return html`${quoted(worst.expected)} is most often mistaken for ${quoted(worst.answer)}:
		${countOf(worst.count, 'time')}`;
	}
	return unanswered > 0 ? html`Every answer given is correct` : html`No label is mistaken for another`;
}

function mistakenList(mistaken: ConfusionPair[], labels: LabelFigures[]): Html {
	const support = new Map(labels.map((label) => [label.label, label.support]));
	const entry = ({ expected, answer, count }: ConfusionPair) => {
		const total = support.get(expected)!;
		return html`<tr>
			<td class="pair">${isolated(expected)} <span class="muted">answered as</span> ${isolated(answer!)}</td>
			<td class="bar-cell"><div class="bar wrong" style="width:${toPercent(count / total)}"></div></td>
			<td class="pair-count">${grouped(count)} <span class="muted">of ${grouped(total)}</span></td>
		</tr>`;
	};
	return html`<table class="pairs">
		<tbody>
			${mistaken.slice(0, LISTED_PAIRS).map(entry)}
		</tbody>
	</table>`;
}

function matrix(figures: Figures, isReadable: boolean): Html {
	const rows = drawnLabels(figures);
	const names = rows.map(({ label }) => label);
	const columns = figures.unanswered > 0 ? [...names, null] : names;
	const counts = countsByPair(figures.confusion);
	const kind = isReadable ? (columns.length <= LEVEL_HEADINGS ? 'numbers level' : 'numbers') : 'compact';
	const left = figures.labels.length - rows.length;
	return html`<p class="muted">
			Each row of the matrix is an expected label, each column an answer. Blue cells are correct, orange cells
			are wrong; the stronger the colour, the larger the share of the
			row.${left > 0 ? ` The ${grouped(left)} labels with the fewest mistakes are left out.` : ''}
		</p>
		<div class="scroll">
			<table class="matrix ${kind}">
				<thead>
					<tr>
						<th class="corner">expected</th>
						${columns.map((column) => html`<th class="column"><div>${heading(column, COLUMN_LENGTH)}</div></th>`)}
						<th class="found">found</th>
					</tr>
				</thead>
				<tbody>
					${rows.map((row) => matrixRow(row, columns, counts.get(row.label) ?? new Map(), isReadable))}
				</tbody>
			</table>
		</div>`;
}

function matrixRow(
	{ label, support, recall }: LabelFigures,
	columns: Array<string | null>,
	counts: Map<string | null, number>,
	isReadable: boolean,
): Html {
	const cells = columns.map((column) => {
		const count = counts.get(column) ?? 0;
		const shade = count === 0 ? 0 : Math.ceil((count / support) * SHADES);
		const colour = column === label ? `right${shade}` : `wrong${shade}`;
		if (count === 0) return column === label ? html`<td class="diagonal"></td>` : html`<td></td>`;
		return html`<td class="${colour}">${isReadable ? grouped(count) : undefined}</td>`;
	});
	return html`<tr>
		<th class="line">${heading(label, LINE_LENGTH)}</th>
		${cells}
		<td class="found">${recall === null ? '–' : percent(recall)}</td>
	</tr>`;
}

function heading(label: string | null, length: number): Html {
	return label === null ? html`<i>no answer</i>` : isolated(label, length);
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
	const drawn = new Set(mostMistaken.slice(0, DRAWN_LABELS));
	return labels.filter((label) => drawn.has(label));
}

function countsByPair(confusion: ConfusionPair[]): Map<string, Map<string | null, number>> {
	const counts = new Map<string, Map<string | null, number>>();
	for (const { expected, answer, count } of confusion) {
		let answers = counts.get(expected);
		if (!answers) counts.set(expected, (answers = new Map<string | null, number>()));
		answers.set(answer, count);
	}
	return counts;
}
