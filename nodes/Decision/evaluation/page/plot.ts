import { percent } from '../percent';
import { html, type Html } from './html';

/** A position in a plot: shares of its width from the left, and of its height from the bottom. */
export interface Point {
	x: number;
	y: number;
}

/** Roughly how many times wider than high a plot is. It only makes lines equally thick in all directions. */
const ASPECT = 2;

const HALF_LINE_PX = 1.25;

/** A line through points, drawn as an area, because only areas can be drawn in percentages without SVG. */
export function line(points: Point[], className: string): Html {
	const edges = points.map((point, index) => {
		const normal = normalAt(points, index);
		return [corner(point, normal, HALF_LINE_PX), corner(point, normal, -HALF_LINE_PX)] as const;
	});
	return polygon([...edges.map(([edge]) => edge), ...edges.map(([, edge]) => edge).reverse()], className);
}

/** The area between two lines. */
export function band(upper: Point[], lower: Point[], className: string): Html {
	const corners = [...upper, ...lower.toReversed()].map((point) => corner(point, { x: 0, y: 0 }, 0));
	return polygon(corners, className);
}

/** Shares along the bottom. */
export function xAxis(shares: number[]): Html {
	const label = (share: number) => html`<span style="left:${toPercent(share)}">${percent(share)}</span>`;
	return html`<div class="x-axis">${shares.map(label)}</div>`;
}

/**
 * Shares along the left side, each with a line across the plot.
 * @param height the position of a share in a plot that does not begin at 0
 */
export function yAxis(shares: number[], height = (share: number) => share): Html[] {
	return shares.map(
		(share) =>
			html`<div class="grid" style="bottom:${toPercent(height(share))}"><span>${percent(share)}</span></div>`,
	);
}

/** CSS that puts an element's left lower corner at a point. */
export function at({ x, y }: Point): string {
	return `left:${toPercent(x)};bottom:${toPercent(y)}`;
}

export function toPercent(share: number): string {
	return `${Number((share * 100).toFixed(3))}%`;
}

function polygon(corners: string[], className: string): Html {
	return html`<div class="${className}" style="clip-path:polygon(${corners.join(', ')})"></div>`;
}

function corner({ x, y }: Point, normal: Point, distancePx: number): string {
	const offset = (length: number) => `${(length * distancePx).toFixed(2)}px`;
	return `calc(${toPercent(x)} + ${offset(normal.x)}) calc(${toPercent(1 - y)} + ${offset(normal.y)})`;
}

/** The direction across the line at a point, of length 1; on the screen, where y counts downwards. */
function normalAt(points: Point[], index: number): Point {
	const before = points[Math.max(0, index - 1)]!;
	const after = points[Math.min(points.length - 1, index + 1)]!;
	const right = (after.x - before.x) * ASPECT;
	const down = before.y - after.y;
	const length = Math.hypot(right, down);
	return length === 0 ? { x: 0, y: 1 } : { x: -down / length, y: right / length };
}
