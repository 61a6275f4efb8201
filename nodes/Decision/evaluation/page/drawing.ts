import { html, percent, type Html } from './html';

interface BarRow {
	name: Html;
	/** Holds the length of the bar, as a share of its cell. */
	share: number;
	figure: Html | string;
}

interface FigureRow {
	name: Html | string;
	value: string;
	/** Holds the length of the bar after the value. */
	share: number;
	figures: [string, string];
	isChosen?: boolean;
}

/** Describes a point of a plot, with a vertical line to a second height. All values are shares. */
interface Dot {
	x: number;
	y: number;
	/** Holds the height at which the line ends. */
	to: number;
	/** Only the chosen dot has a label. */
	label?: string | undefined;
}

interface Plot {
	xTitle: string;
	yTitle: string;
	/** Holds the share at the bottom of the vertical axis. Above 0, it makes small differences visible. */
	from?: number;
	/** Holds a height that is marked by a line across the plot. */
	target?: { share: number; name: string };
	hasDiagonal?: boolean;
	dots: Dot[];
}

const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

export function barTable(rows: BarRow[]): Html {
	const row = ({ name, share, figure }: BarRow) =>
		html`<tr>
			<td class="name">${name}</td>
			<td class="bar-cell">${bar(share)}</td>
			<td class="figure-cell">${figure}</td>
		</tr>`;
	return html`<table class="bars">
		<tbody>
			${rows.map(row)}
		</tbody>
	</table>`;
}

/**
 * Makes a table with a bar in each row.
 * @param headings the headings for the names, the values before the bars, and both figures
 */
export function figureTable(headings: [string, string, string, string], rows: FigureRow[]): Html {
	const [names, values, ...others] = headings.map((heading) => html`<th>${heading}</th>`);
	const row = ({ name, value, share, figures, isChosen }: FigureRow) =>
		html`<tr${isChosen ? html` class="chosen"` : undefined}>
			<th>${name}</th>
			<td>${value}</td>
			<td class="bar-cell">${bar(share)}</td>
			${figures.map((figure) => html`<td>${figure}</td>`)}
		</tr>`;
	return html`<table class="figures">
		<thead>
			<tr>
				${names} ${values}
				<th></th>
				${others}
			</tr>
		</thead>
		<tbody>
			${rows.map(row)}
		</tbody>
	</table>`;
}

/** Draws a plot with plain HTML elements, because n8n's view of binary data removes SVG. */
export function plot({ xTitle, yTitle, from = 0, target, hasDiagonal, dots }: Plot): Html {
	const heightOf = (share: number) => (share - from) / (1 - from);
	const stem = ({ x, y, to }: Dot) => {
		const [bottom, top] = [y, to].map(heightOf).sort((a, b) => a - b) as [number, number];
		return html`<div class="stem" style="${positionAt(x, bottom)};height:${toPercent(top - bottom)}"></div>`;
	};
	const dot = ({ x, y, label }: Dot) => {
		const place = positionAt(x, heightOf(y));
		if (label === undefined) return html`<div class="dot" style="${place}"></div>`;
		return html`<div class="dot chosen" style="${place}"></div>
			<div class="dot-label" style="${place}">${label}</div>`;
	};
	return html`<div class="figure">
		<div class="axis-title">${yTitle}</div>
		<div class="plot${hasDiagonal ? ' diagonal' : ''}">
			${QUARTERS.map((quarter) => horizontalLine('grid', quarter, percent(from + quarter * (1 - from))))}
			${target && horizontalLine('target', heightOf(target.share), target.name)} ${dots.map(stem)}
			${dots.map(dot)}
		</div>
		<div class="x-axis">
			${QUARTERS.map((share) => html`<span style="left:${toPercent(share)}">${percent(share)}</span>`)}
		</div>
		<div class="axis-title x-title">${xTitle}</div>
	</div>`;
}

function bar(share: number): Html {
	return html`<div class="bar" style="width:${toPercent(share)}"></div>`;
}

function horizontalLine(kind: string, height: number, name: string): Html {
	return html`<div class="${kind}" style="bottom:${toPercent(height)}"><span>${name}</span></div>`;
}

function positionAt(x: number, y: number): string {
	return `left:${toPercent(x)};bottom:${toPercent(y)}`;
}

function toPercent(share: number): string {
	return `${Number((share * 100).toFixed(3))}%`;
}
