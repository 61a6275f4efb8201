import type { Page } from 'playwright-core';

interface Box {
	left: number;
	right: number;
	top: number;
	bottom: number;
}

/** A node or a note, in pixels of the canvas at its own size. */
interface Shape {
	/** The name of a node, or the heading of a note. */
	name: string;
	box: Box;
	/** The height that a note's text needs; undefined for a node. */
	wantedHeight: number | undefined;
}

interface Wire {
	from: string;
	to: string;
	length: number;
	/** Points along the connection, at equal distances. */
	points: Array<{ x: number; y: number }>;
}

interface CanvasLayout {
	shapes: Shape[];
	wires: Wire[];
}

/** In pixels. A shorter connection between two nodes cannot be seen. */
const SHORTEST_WIRE = 30;

/** At most this share of a note's height may be empty. */
const EMPTY_AT_MOST = 0.2;

/**
 * What makes the workflow on the canvas hard to read: overlapping things, hidden connections, notes that are too small or
 * too large.
 */
export async function layoutProblems(page: Page): Promise<string[]> {
	const { shapes, wires } = await readLayout(page);
	return [
		...overlaps(shapes),
		...wires
			.filter((wire) => isHidden(wire, shapes))
			.map(({ from, to }) => `the connection from "${from}" to "${to}" is hidden`),
		...shapes
			.filter(isIllFitting)
			.map(({ name, wantedHeight }) => `"${name}" should be ${Math.ceil(wantedHeight!)} high`),
	];
}

function overlaps(shapes: Shape[]): string[] {
	return shapes.flatMap((one, index) =>
		shapes
			.slice(index + 1)
			.filter((other) => overlap(one.box, other.box))
			.map((other) => `"${one.name}" and "${other.name}" lie over each other`),
	);
}

function overlap(one: Box, other: Box): boolean {
	return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

/** Whether a connection runs under something that it does not belong to, or too little of it is visible. */
function isHidden({ from, to, length, points }: Wire, shapes: Shape[]): boolean {
	const covered = points.filter((point) => shapes.some(({ box }) => contains(box, point))).length;
	const strangers = shapes.filter(({ name }) => name !== from && name !== to);
	return (
		points.some((point) => strangers.some(({ box }) => contains(box, point))) ||
		length * (1 - covered / points.length) < SHORTEST_WIRE
	);
}

function contains({ left, right, top, bottom }: Box, { x, y }: { x: number; y: number }): boolean {
	return x > left && x < right && y > top && y < bottom;
}

function isIllFitting({ box, wantedHeight }: Shape): boolean {
	if (wantedHeight === undefined) return false;
	const height = box.bottom - box.top;
	return wantedHeight > height || wantedHeight < height * (1 - EMPTY_AT_MOST);
}

async function readLayout(page: Page): Promise<CanvasLayout> {
	return await page.evaluate((): CanvasLayout => {
		const canvas = document.querySelector('.vue-flow__transformationpane')!;
		const toCanvas = new DOMMatrix(getComputedStyle(canvas).transform).inverse();
		const boxOf = (element: Element): Box => {
			const { left, right, top, bottom } = element.getBoundingClientRect();
			const start = new DOMPoint(left, top).matrixTransform(toCanvas);
			const end = new DOMPoint(right, bottom).matrixTransform(toCanvas);
			return { left: start.x, right: end.x, top: start.y, bottom: end.y };
		};
		/** A note needs as much room below its text as there is above it. */
		const wantedHeightOf = (note: Element): number => {
			const texts = [...note.querySelectorAll('h1, h2, h3, h4, p, li, pre')].map(boxOf);
			const { top } = boxOf(note);
			const above = Math.min(...texts.map((text) => text.top)) - top;
			return Math.max(...texts.map((text) => text.bottom)) + above - top;
		};
		const shapes = [...document.querySelectorAll('.vue-flow__node')].map((element): Shape => {
			const note = element.querySelector('[data-test-id="sticky"]');
			const node = element.querySelector<HTMLElement>('[data-test-id="canvas-node"]');
			return {
				name: node?.dataset.nodeName ?? note?.querySelector('h1, h2, h3')?.textContent ?? '',
				box: boxOf(note ?? node ?? element),
				wantedHeight: note ? wantedHeightOf(note) : undefined,
			};
		});
		const wires = [...document.querySelectorAll<HTMLElement>('[data-test-id="edge"]')].map((edge): Wire => {
			const { sourceNodeName: from = '', targetNodeName: to = '' } = edge.dataset;
			const path = edge.querySelector('path')!;
			const length = path.getTotalLength();
			const onCanvas = toCanvas.multiply(DOMMatrix.fromMatrix(path.getScreenCTM()!));
			const points = Array.from({ length: 101 }, (_, index) => {
				const point = DOMPoint.fromPoint(path.getPointAtLength((length * index) / 100));
				const { x, y } = point.matrixTransform(onCanvas);
				return { x, y };
			});
			return { from, to, length, points };
		});
		return { shapes, wires };
	});
}
