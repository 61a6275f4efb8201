import { join } from 'node:path';

import { byTestId, type Editor } from '../Editor';
import { PACKAGE_NAME, TEMPLATES_FOLDER } from '../paths';
import { readTemplate, templateFiles } from '../templates';
import { openEditorForAll, type Setting } from './setting';

let setting: Setting;
let editor: Editor;

/** Of the height of a note, at most so much may be empty. */
const EMPTY_AT_MOST = 0.2;

/** In pixels of the canvas. A shorter wire cannot be seen between two nodes. */
const SHORTEST_WIRE = 30;

openEditorForAll((opened) => ({ setting, editor } = opened));

test.each(templateFiles())('%s, imported from its file, is easy to read', async (file) => {
	await editor.openNewWorkflow();
	await editor.importFile(join(TEMPLATES_FOLDER, file));
	await byTestId(editor.page, 'zoom-to-fit').click();
	await editor.page.waitForTimeout(500);
	const { nodes } = readTemplate(file);
	expect(await byTestId(editor.page, 'canvas-node').count()).toBe(nodes.length);
	const layout = await layoutOf(editor);
	const findings = [
		...layout.overlaps.map((pair) => `${pair.join(' lies over ')}`),
		...layout.hiddenWires.map((wire) => `the wire ${wire} is hidden`),
		...layout.notes
			.filter(({ overflows }) => overflows)
			.map(({ name, wanted }) => `${name} hides the end of its text: it needs ${wanted}`),
		...layout.notes
			.filter(({ empty, overflows }) => !overflows && empty > EMPTY_AT_MOST)
			.map(({ name, empty, wanted }) => `${name} is empty by ${empty.toFixed(2)}: it needs ${wanted}`),
	];
	expect(findings).toEqual([]);
});

test.each(templateFiles())('%s, imported from its file, asks for nothing but credentials', async (file) => {
	await editor.openNewWorkflow();
	await editor.importFile(join(TEMPLATES_FOLDER, file));
	const issues = byTestId(editor.page, 'node-issues');
	const withAccount = readTemplate(file).nodes.filter(
		({ type }) => type.startsWith(`${PACKAGE_NAME}.`) || ACCOUNT_NODES.includes(type),
	);
	expect(await issues.count()).toBeLessThanOrEqual(withAccount.length);
});

/** Nodes of n8n's own that need an account. */
const ACCOUNT_NODES = ['n8n-nodes-base.emailSend', 'n8n-nodes-base.googleSheets'];

interface Layout {
	overlaps: Array<[string, string]>;
	/** As "from to". */
	hiddenWires: string[];
	notes: Array<{
		name: string;
		overflows: boolean;
		/** The part of its height that nothing stands in. */
		empty: number;
		/** The height that its text needs, in pixels of the canvas. */
		wanted: number;
	}>;
}

async function layoutOf({ page }: Editor): Promise<Layout> {
	return await page.evaluate((shortestWire): Layout => {
		const zoom = new DOMMatrix(
			getComputedStyle(document.querySelector('.vue-flow__transformationpane')!).transform,
		).a;
		const nodes = [...document.querySelectorAll<HTMLElement>('[data-test-id="canvas-node"]')].map((element) => {
			const note = element.querySelector<HTMLElement>('[data-test-id="sticky"]');
			const box = (
				note ?? element.querySelector<HTMLElement>('[data-test-id$="canvas-default-node"]') ?? element
			).getBoundingClientRect();
			return { name: element.dataset.nodeName!, box, note };
		});
		const overlaps = nodes.flatMap((one, index) =>
			nodes
				.slice(index + 1)
				.filter(
					({ box }) =>
						box.left < one.box.right &&
						box.right > one.box.left &&
						box.top < one.box.bottom &&
						box.bottom > one.box.top,
				)
				.map((other): [string, string] => [one.name, other.name]),
		);
		const hiddenWires = [...document.querySelectorAll<HTMLElement>('[data-test-id="edge"]')].flatMap((edge) => {
			const wire = edge.querySelector<SVGPathElement>('path.vue-flow__edge-path') ?? edge.querySelector('path')!;
			const length = wire.getTotalLength();
			const toScreen = wire.getScreenCTM()!;
			const { sourceNodeName: from = '', targetNodeName: to = '' } = edge.dataset;
			const points = Array.from({ length: 101 }, (_, index) =>
				wire.getPointAtLength((length * index) / 100).matrixTransform(toScreen),
			);
			const isUnder = ({ x, y }: DOMPoint, { box }: (typeof nodes)[number]) =>
				x > box.left && x < box.right && y > box.top && y < box.bottom;
			const seen = points.filter((point) => !nodes.some((node) => isUnder(point, node))).length;
			const others = nodes.filter(({ name }) => name !== from && name !== to);
			const isHidden =
				points.some((point) => others.some((node) => isUnder(point, node))) ||
				(length * seen) / 101 < shortestWire;
			return isHidden ? [`${from} → ${to}`] : [];
		});
		const notes = nodes.flatMap(({ name, note }) => {
			if (!note) return [];
			const content = note.querySelector<HTMLElement>('.sticky-content, [class*="content"]') ?? note;
			const parts = [...note.querySelectorAll('h1, h2, h3, h4, p, li, pre, img')];
			const box = note.getBoundingClientRect();
			const bottom = Math.max(...parts.map((part) => part.getBoundingClientRect().bottom));
			const margin = Math.min(...parts.map((part) => part.getBoundingClientRect().top)) - box.top;
			const wanted = bottom + margin - box.top;
			return [
				{
					name,
					overflows: wanted > box.height + 1 && content.scrollHeight > 0,
					empty: 1 - wanted / box.height,
					wanted: Math.ceil(wanted / zoom),
				},
			];
		});
		return { overlaps, hiddenWires, notes };
	}, SHORTEST_WIRE);
}
