import fc from 'fast-check';

import { evaluateRows, type Figures } from '../nodes/Decision/evaluation/evaluateRows';
import { evaluationPage } from '../nodes/Decision/evaluation/page/evaluationPage';
import type { EvaluatedFields } from '../nodes/Decision/evaluation/evaluatedFields';
import { readRows } from '../nodes/Decision/evaluation/readRows';

const fields: EvaluatedFields = {
	answerType: 'choice',
	answerField: 'topic',
	expectedField: 'label',
	confidenceField: '',
	ignoreCase: false,
	compareField: '',
};

const LINE_PX = 2.5;

interface Drawing {
	figures: Figures;
	page: string;
	/** The sections of the page by their place: accuracy, thresholds, confusion, calibration, mistakes. */
	sections: string[];
}

function draw(items: object[], targetAccuracy = 0.9): Drawing {
	const figures = evaluateRows(readRows(items, fields), { answerType: 'choice', targetAccuracy });
	const page = evaluationPage(figures, items, fields);
	return { figures, page, sections: page.split('<section>').slice(1) };
}

/** The numbers in the styles of all elements of a class, in percent, with the text up to the next tag. */
function elementsOf(markup: string, className: string): Array<Record<string, number> & { text: string }> {
	const elements = markup.matchAll(
		new RegExp(`<(?:div|td|span) class="${className}" style="([^"]*)"\\s*>([^<]*)`, 'g'),
	);
	return [...elements].map(([, style, text]) => {
		const numbers = [...style!.matchAll(/([a-z-]+):(-?[\d.]+)%/g)].map(([, name, value]) => [
			name,
			Number(value) / 100,
		]);
		return { ...(Object.fromEntries(numbers) as Record<string, number>), text: text! } as Record<
			string,
			number
		> & {
			text: string;
		};
	});
}

interface Corner {
	x: number;
	y: number;
	/** How far it is moved, in pixels; y counts downwards. */
	offset: [number, number];
}

/** The corners of an area, as shares from the left and from the bottom. */
function cornersOf(markup: string, className: string): Corner[] {
	const [, polygon = ''] = new RegExp(`class="${className}" style="clip-path:polygon\\((.*?)\\)"`).exec(
		markup,
	)!;
	const corners = polygon.matchAll(/calc\((\S+)% \+ (\S+)px\) calc\((\S+)% \+ (\S+)px\)/g);
	return [...corners].map(([, x, right, y, down]) => ({
		x: Number(x) / 100,
		y: 1 - Number(y) / 100,
		offset: [Number(right), Number(down)],
	}));
}

/** The points that a line goes through: halfway between its two edges, whose distance is its thickness. */
function pointsOfLine(corners: Corner[]): Array<{ x: number; y: number }> {
	const half = corners.length / 2;
	return corners.slice(0, half).map(({ x, y, offset: [right, down] }, index) => {
		const across = corners.at(-1 - index)!;
		expect([across.x, across.y]).toEqual([x, y]);
		expect(across.offset[0]).toBeCloseTo(-right, 5);
		expect(across.offset[1]).toBeCloseTo(-down, 5);
		expect(2 * Math.hypot(right, down)).toBeCloseTo(LINE_PX, 1);
		return { x, y };
	});
}

/** The share at a height of the plot, according to the lines across it. */
function scaleOf(plot: string): (bottom: number) => number {
	const lines = [...plot.matchAll(/class="grid" style="bottom:([\d.]+)%"><span>(\d+)/g)].map(
		([, bottom, share]) => ({ bottom: Number(bottom) / 100, share: Number(share) / 100 }),
	);
	expect(lines.length).toBeGreaterThanOrEqual(2);
	expect(lines.length).toBeLessThanOrEqual(7);
	for (const { share } of lines) expect(share).toBeLessThanOrEqual(1);
	const [top, next] = lines;
	expect(top).toEqual({ bottom: 1, share: 1 });
	const slope = (1 - next!.share) / (1 - next!.bottom);
	const shareAt = (bottom: number) => 1 - (1 - bottom) * slope;
	for (const { bottom, share } of lines) expect(shareAt(bottom)).toBeCloseTo(share, 4);
	return shareAt;
}

const answered = fc.record({
	topic: fc.constantFrom('a', 'b', 'c'),
	label: fc.constantFrom('a', 'a', 'b', 'c'),
	topic_confidence: fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100),
});

const manyAnswered = fc.array(answered, { minLength: 1, maxLength: 60 });

test('the labels of the accuracy end at their value, or begin there in the left half', () => {
	const rows = ['a', 'a', 'b', 'c', 'd'].map((label) => ({ label, topic: label === 'd' ? 'a' : label }));
	const [correct, always] = elementsOf(draw(rows).sections[0]!, 'room');
	expect(correct!['flex-basis']).toBeCloseTo(1 - 0.8);
	expect(always!['flex-basis']).toBeCloseTo(0.4);
});

describe('everything is drawn where its figures say', () => {
	test('the accuracy, its interval and the baseline', () => {
		fc.assert(
			fc.property(manyAnswered, (items) => {
				const { figures, sections } = draw(items);
				const { accuracy, accuracyInterval: interval, baseline } = figures;
				const [fill] = elementsOf(sections[0]!, 'fill');
				const [between] = elementsOf(sections[0]!, 'interval');
				const [tick] = elementsOf(sections[0]!, 'tick');
				expect(fill!.width).toBeCloseTo(accuracy, 4);
				expect(between!.left).toBeCloseTo(interval.low, 4);
				expect(between!.left! + between!.width!).toBeCloseTo(interval.high, 4);
				expect(tick!.left).toBeCloseTo(baseline, 4);
				// A label begins at its value in the left half, and ends there in the right half.
				const rooms = elementsOf(sections[0]!, 'room').map((room) => room['flex-basis']!);
				const expected = [accuracy, baseline].map((share) => (share <= 0.5 ? share : 1 - share));
				rooms.forEach((room, index) => expect(room).toBeCloseTo(expected[index]!, 4));
				const ends = [...sections[0]!.matchAll(/class="scale-label( end)?"/g)].map(
					([, end]) => end !== undefined,
				);
				expect(ends).toEqual([accuracy > 0.5, baseline > 0.5]);
			}),
		);
	});

	test('the thresholds: dots, lines, the area between them, and the target', () => {
		fc.assert(
			fc.property(manyAnswered, fc.constantFrom(0.3, 0.6, 0.9, 1), (items, target) => {
				const { figures, sections } = draw(items, target);
				const plot = sections[1]!;
				const shareAt = scaleOf(plot);
				// From right to left, fewer rows are decided. Of thresholds that decide the same rows, only the lowest is
				// drawn.
				const drawn = figures.thresholds
					.filter(({ acted_on: count }, index, all) => count > 0 && count !== all[index - 1]?.acted_on)
					.reverse();
				const dots = elementsOf(plot, 'dot(?: chosen)?');
				expect(dots).toHaveLength(drawn.length);
				drawn.forEach(({ coverage, accuracy }, index) => {
					expect(dots[index]!.left).toBeCloseTo(coverage, 4);
					expect(shareAt(dots[index]!.bottom!)).toBeCloseTo(accuracy!, 3);
				});
				const lines = { accuracy: 'area accuracy', accuracy_low: 'area low' } as const;
				for (const [name, className] of Object.entries(lines) as Array<[keyof typeof lines, string]>) {
					const points = pointsOfLine(cornersOf(plot, className));
					expect(points).toHaveLength(drawn.length);
					drawn.forEach((figure, index) => {
						expect(points[index]!.x).toBeCloseTo(figure.coverage, 4);
						expect(shareAt(points[index]!.y)).toBeCloseTo(figure[name]!, 3);
					});
				}
				const band = cornersOf(plot, 'area band');
				const around = [
					...drawn.map(({ coverage, accuracy }) => [coverage, accuracy!]),
					...drawn.toReversed().map(({ coverage, accuracy_low: low }) => [coverage, low!]),
				];
				expect(band).toHaveLength(around.length);
				band.forEach(({ x, y }, index) => {
					expect(x).toBeCloseTo(around[index]![0]!, 4);
					expect(shareAt(y)).toBeCloseTo(around[index]![1]!, 3);
				});
				const [line] = elementsOf(plot, 'target');
				expect(shareAt(line!.bottom!)).toBeCloseTo(target, 3);
				// The plot begins at a tenth, and leaves some room below what is lowest.
				const lowest = Math.min(target, ...drawn.map(({ accuracy_low: low }) => low!));
				const begin = shareAt(0);
				expect(begin * 10).toBeCloseTo(Math.round(begin * 10), 3);
				expect(begin).toBeCloseTo(Math.min(0.9, Math.max(0, Math.floor(lowest * 10 - 0.4) / 10)), 3);
				// There is a line at each tenth, or at every second where that would be more than seven.
				const tenths = Math.round(10 - begin * 10);
				const lineCount = elementsOf(plot, 'grid').length;
				expect(lineCount).toBe(1 + Math.floor(tenths > 6 ? tenths / 2 : tenths));
			}),
		);
	});

	test('of the thresholds, the chosen one has a label, and no two labels meet', () => {
		fc.assert(
			fc.property(manyAnswered, (items) => {
				const { figures, sections } = draw(items, 0.3);
				const plot = sections[1]!;
				const chosen = elementsOf(plot, 'dot-label chosen');
				const others = elementsOf(plot, 'dot-label');
				expect(chosen.map(({ text }) => text)).toEqual(
					figures.recommended ? [figures.recommended.threshold.toFixed(2)] : [],
				);
				expect(elementsOf(plot, 'dot chosen').map(({ left }) => left)).toEqual(
					chosen.map(({ left }) => left),
				);
				const places = [...chosen, ...others].map(({ left }) => left!).sort((a, b) => a - b);
				for (const [index, place] of places.entries()) {
					if (index > 0) expect(place - places[index - 1]!).toBeGreaterThanOrEqual(0.1099);
				}
				// Each dot without a label is too close to a label.
				for (const { left } of elementsOf(plot, 'dot')) {
					expect(places.some((place) => Math.abs(place - left!) < 0.1101)).toBe(true);
				}
				// The chosen one has a line down to the axis.
				const drops = elementsOf(plot, 'drop');
				expect(drops.map(({ left, height }) => [left, height])).toEqual(
					elementsOf(plot, 'dot chosen').map(({ left, bottom }) => [left, bottom]),
				);
			}),
		);
	});

	test('the name of the lower line is below that part of the line', () => {
		fc.assert(
			fc.property(manyAnswered, (items) => {
				const [name] = elementsOf(draw(items).sections[1]!, 'line-name');
				const points = pointsOfLine(cornersOf(draw(items).sections[1]!, 'area low'));
				const end = points.at(-1)!;
				expect(name!.right).toBeCloseTo(1 - end.x, 4);
				const near = points.filter(({ x }) => x >= end.x - 0.549);
				for (const { y } of near) expect(1 - name!.top!).toBeLessThanOrEqual(y + 1e-4);
				const perhapsNear = points.filter(({ x }) => x >= end.x - 0.551);
				expect(perhapsNear.some(({ y }) => Math.abs(1 - name!.top! - y) < 1e-4)).toBe(true);
			}),
		);
	});

	test('the thresholds in the table, the chosen one marked', () => {
		const items = [
			...Array.from({ length: 30 }, () => ({ topic: 'a', label: 'a', topic_confidence: 0.8 })),
			...Array.from({ length: 10 }, () => ({ topic: 'b', label: 'a', topic_confidence: 0.3 })),
		];
		const { figures, sections } = draw(items, 0.8);
		const rows = [...sections[1]!.matchAll(/<tr( class="chosen")?>\s*<th>([\d.]+)<\/th>(.*?)<\/tr>/gs)];
		expect(rows.map(([, , threshold]) => threshold)).toEqual(
			figures.thresholds.map(({ threshold }) => threshold.toFixed(2)),
		);
		expect(rows.filter(([, chosen]) => chosen).map(([, , threshold]) => threshold)).toEqual([
			figures.recommended!.threshold.toFixed(2),
		]);
		const cells = rows.map(([, , , rest]) =>
			[...rest!.matchAll(/<td>([^<]*)<\/td>/g)].map(([, text]) => text!.replace('\u00a0', ' ')),
		);
		expect(cells[0]).toEqual(['100%', '75%', '59.8%']);
		expect(cells[7]).toEqual(['75%', '100%', '88.6%']);
		expect(cells[20]).toEqual(['0', '–', '–']);
		const bars = elementsOf(sections[1]!, 'bar');
		expect(bars.map(({ width }) => width)).toEqual(figures.thresholds.map(({ coverage }) => coverage));
	});

	test('the calibration: dots, their distance from the diagonal, and the tenths', () => {
		fc.assert(
			fc.property(manyAnswered, (items) => {
				const { figures, sections } = draw(items);
				const section = sections[3]!;
				const filled = figures.calibration.filter(({ count }) => count > 0);
				const dots = elementsOf(section, 'dot');
				const gaps = elementsOf(section, 'gap');
				expect(dots).toHaveLength(filled.length);
				expect(gaps).toHaveLength(filled.length);
				filled.forEach(({ predicted, observed }, index) => {
					const { left, bottom, height } = gaps[index]!;
					expect(dots[index]!.left).toBeCloseTo(predicted!, 4);
					expect(dots[index]!.bottom).toBeCloseTo(observed!, 4);
					expect(left).toBeCloseTo(predicted!, 4);
					expect(bottom).toBeCloseTo(Math.min(predicted!, observed!), 4);
					expect(height).toBeCloseTo(Math.abs(predicted! - observed!), 4);
				});
				expect(pointsOfLine(cornersOf(section, 'area diagonal-line'))).toEqual([
					{ x: 0, y: 0 },
					{ x: 1, y: 1 },
				]);
				const tenths = [...section.matchAll(/<th>(\d\.\d) to (\d\.\d)<\/th>\s*<td>(\d+)<\/td>/g)];
				expect(tenths.map(([, from, to, count]) => [from, to, Number(count)])).toEqual(
					figures.calibration.map(({ from, to, count }) => [from.toFixed(1), to.toFixed(1), count]),
				);
				const bars = elementsOf(section, 'bar');
				bars.forEach(({ width }, index) =>
					expect(width).toBeCloseTo(figures.calibration[index]!.count / items.length, 4),
				);
			}),
		);
	});

	test('the lines, equally thick in all directions of a plot that is twice as wide as high', () => {
		const items = [{ topic: 'a', label: 'a', topic_confidence: 0.8 }];
		const edges = cornersOf(draw(items).sections[3]!, 'area diagonal-line').map(({ offset }) => offset);
		expect(edges.slice(0, 2)).toEqual([
			[0.56, 1.12],
			[0.56, 1.12],
		]);
	});

	test('when nearly everything is correct, the grid has few lines', () => {
		const items = Array.from({ length: 200 }, () => ({ topic: 'a', label: 'a', topic_confidence: 1 }));
		const lines = elementsOf(draw(items, 0.66).sections[1]!, 'grid').map(({ bottom }) => bottom);
		expect(lines).toEqual([1, 0.75, 0.5, 0.25, 0]);
	});

	test('the shares along the axes', () => {
		const items = [
			{ topic: 'a', label: 'a', topic_confidence: 0.8 },
			{ topic: 'b', label: 'a', topic_confidence: 0.2 },
		];
		const { sections } = draw(items);
		const quarters = ['0', '25', '50', '75', '100'];
		for (const section of [sections[1]!, sections[3]!]) {
			const [, axis = ''] = /<div class="x-axis">(.*?)<\/div>/s.exec(section)!;
			const labels = [...axis.matchAll(/style="left:([\d.]+)%">(\d+)/g)];
			expect(labels.map(([, left, share]) => [left, share])).toEqual(quarters.map((share) => [share, share]));
		}
		const lines = [...sections[3]!.matchAll(/class="grid" style="bottom:([\d.]+)%"><span>(\d+)/g)];
		expect(lines.map(([, bottom, share]) => [bottom, share])).toEqual(
			quarters.map((share) => [share, share]),
		);
	});
});

describe('the matrix', () => {
	const expecting = (label: string, counts: Record<string, number>) =>
		Object.entries(counts).flatMap(([topic, count]) =>
			Array.from({ length: count }, () => (topic === '' ? { label } : { label, topic })),
		);

	/** The cells in the line of a label: their classes and their text. */
	const lineOf = (page: string, label: string) => {
		const line = [...page.matchAll(/<tr>\s*<th class="line">(.*?)<\/th>(.*?)<\/tr>/gs)].find(([, head]) =>
			head!.includes(`>${label}<`),
		);
		return [...line![2]!.matchAll(/<td(?: class="([^"]*)")?>([^<]*)<\/td>/g)].map(
			([, className = '', text]) => `${className} ${text!.replace('\u00a0', ' ')}`.trim(),
		);
	};

	test('has stronger colours for larger shares of the line, and blue for correct answers', () => {
		const { page } = draw([
			...expecting('a', { a: 6, b: 1, c: 3 }),
			...expecting('b', { a: 5 }),
			...expecting('c', { c: 5 }),
		]);
		expect(lineOf(page, 'a')).toEqual(['right3 6', 'wrong1 1', 'wrong2 3', 'found 60%']);
		expect(lineOf(page, 'b')).toEqual(['wrong5 5', 'diagonal', '', 'found 0%']);
		expect(lineOf(page, 'c')).toEqual(['', '', 'right5 5', 'found 100%']);
	});

	test('has a column for rows without an answer only if there are some', () => {
		const every = expecting('a', { a: 2, b: 2 });
		expect(draw(every).page).not.toContain('<i>no answer</i>');
		const { page } = draw([...every, ...expecting('a', { '': 1 })]);
		expect(page).toContain('<i>no answer</i>');
		expect(lineOf(page, 'a')).toEqual(['right2 2', 'wrong2 2', 'wrong1 1', 'found 40%']);
	});

	test('shows no share of rows found for a label that no row expects', () => {
		expect(lineOf(draw(expecting('a', { b: 1 })).page, 'b')).toEqual(['', 'diagonal', 'found –']);
	});

	test.each([
		[4, 'numbers level'],
		[5, 'numbers'],
		[15, 'numbers'],
		[16, 'compact'],
	])('of %d labels is shown as %s', (count, kind) => {
		const labels = Array.from({ length: count }, (_, index) => `label${index}`);
		const { page, sections } = draw(
			labels.map((label, index) => ({ label, topic: labels[Math.max(1, index)] })),
		);
		expect(page).toContain(`<table class="matrix ${kind}">`);
		expect(sections[1]!.includes('<table class="pairs">')).toBe(kind === 'compact');
	});

	test('lists the ten most frequent mistakes, each with its share of the rows that expect the label', () => {
		const labels = Array.from({ length: 16 }, (_, index) => `label${index}`);
		const items = labels.flatMap((label, index) =>
			expecting(label, { [label]: 20 - index, ...(index > 0 ? { label0: index } : {}) }),
		);
		const [, list = ''] = /<table class="pairs">(.*?)<\/table>/s.exec(draw(items).page)!;
		const counts = [...list.matchAll(/class="pair-count">(\d+) <span class="muted">of (\d+)/g)];
		expect(counts.map(([, count, all]) => [Number(count), Number(all)])).toEqual(
			Array.from({ length: 10 }, (_, index) => [15 - index, 20]),
		);
		const bars = elementsOf(list, 'bar wrong').map(({ width }) => width);
		expect(bars).toEqual(Array.from({ length: 10 }, (_, index) => Number(((15 - index) / 20).toFixed(3))));
	});

	const drawnIn = (page: string) =>
		[...page.matchAll(/<th class="line">.*?<bdi>(\w+)<\/bdi>/gs)].map(([, label]) => label);

	test('keeps labels that are often taken for others, or others for them, when there are too many', () => {
		const labels = Array.from({ length: 101 }, (_, index) => `label${index}`);
		const { page } = draw([
			...labels.flatMap((label) => expecting(label, { [label]: 3, label0: 3 })),
			// Each of the two has four mistakes, more than most, though only two with any other label.
			...expecting('scattered', { label1: 2, label2: 2 }),
			...expecting('label3', { magnet: 2 }),
			...expecting('label4', { magnet: 2 }),
		]);
		expect(page).toContain('The 3 labels with the fewest mistakes are left out.');
		expect(drawnIn(page)).toHaveLength(100);
		expect(drawnIn(page)).toEqual(expect.arrayContaining(['label0', 'scattered', 'magnet']));
	});

	test('leaves out labels without a mistake first, however frequent they are', () => {
		const labels = Array.from({ length: 100 }, (_, index) => `label${index}`);
		const perfect = ['first', 'second', 'third'];
		const { page } = draw([
			...perfect.flatMap((label) => expecting(label, { [label]: 5 })),
			...labels.flatMap((label, index) => expecting(label, { [labels[index - (index % 2)]!]: 1 })),
		]);
		expect(drawnIn(page)).toHaveLength(100);
		expect(drawnIn(page)).not.toEqual(expect.arrayContaining(['first']));
		expect(new Set(drawnIn(page))).toEqual(new Set(labels));
	});

	test('of labels with equally many mistakes, leaves out the least expected ones', () => {
		const labels = Array.from({ length: 98 }, (_, index) => `label${index}`);
		const perfect = { first: 5, second: 4, third: 3, fourth: 2 };
		const { page } = draw([
			...Object.entries(perfect).flatMap(([label, count]) => expecting(label, { [label]: count })),
			...labels.flatMap((label, index) => expecting(label, { [labels[index - (index % 2)]!]: 1 })),
		]);
		expect(new Set(drawnIn(page))).toEqual(new Set(['first', 'second', ...labels]));
	});
});
