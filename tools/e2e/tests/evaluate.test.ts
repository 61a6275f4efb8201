import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import type { IDataObject, INode } from 'n8n-workflow';
import type { FrameLocator, Locator, Page } from 'playwright-core';

import { teamOfIntent } from '../../../demo/teamOfIntent';
import demo from '../../../demo/workflow.json';
import { byTestId, type Editor } from '../Editor';
import { ROOT_FOLDER } from '../paths';
import { readTemplate } from '../templates';
import { node, rowOf } from '../workflows';
import { openEditorForAll, type Setting, takePicture, takePictureAround } from './setting';

let setting: Setting;
let editor: Editor;

const THEMES = ['light', 'dark'] as const;

const MAX_EVALUATION_MS = 60_000;

/** The emulator's model answers hundreds of messages on the same cores that run n8n and the browser, so this takes a while. */
const MAX_ANSWERS_MS = 100_000;

const MESSAGES_OF_TWO = 60;

openEditorForAll((opened) => ({ setting, editor } = opened));

afterEach(async () => await editor.page.emulateMedia({ colorScheme: 'light' }));

/** Returns the demo's messages, each with the team that it belongs to. */
function demoMessages() {
	const rows = parse<Record<'text' | 'category', string>>(
		readFileSync(join(ROOT_FOLDER, 'demo/customer-messages.csv')),
		{ columns: true },
	);
	return rows.map(({ text, category }) => ({ text, team: teamOfIntent(category) }));
}

const demoParameters = demo.nodes.find(({ name }) => name === 'Decide')!.parameters;

/**
 * This workflow has the demo's messages and questions. It evaluates the answers, and shows the page in n8n's own view of
 * HTML.
 */
function evaluation() {
	const rows = demoMessages().map(({ text, team }): IDataObject => ({ text, expected_team: team }));
	return rowOf('Evaluation', rows, [
		node('Answer Questions', 'decision', demoParameters),
		node('Evaluate Answers', 'decision', {
			operation: 'evaluate',
			answerField: 'team',
			expectedField: 'expected_team',
			targetAccuracy: 0.8,
		}),
		node('Read the Page', 'n8n-nodes-base.extractFromFile', {
			operation: 'text',
			binaryPropertyName: 'report',
		}),
		node('Page', 'n8n-nodes-base.html', { html: '{{ $json.data }}' }, { typeVersion: 1.2 }),
	]);
}

test('the page is shown in the editor and as a file, in the light and the dark theme', async () => {
	await editor.openWorkflow(await setting.session.importWorkflow(evaluation(), setting.credentials));
	await editor.execute(MAX_ANSWERS_MS);
	await openReport();
	await takePicture(editor.nodeView, 'evaluate');
	const file = await downloadReport();

	for (const theme of THEMES) {
		await editor.page.emulateMedia({ colorScheme: theme });
		await editor.openNode('Page');
		const view = editor.output.locator('iframe');
		await expectTheWholePage(view.contentFrame());
		expect(await colourOf(view.contentFrame().locator('body'))).toBe(BACKGROUND[theme]);
		await editor.closeNode();
	}
	for (const theme of THEMES) await showFile(file, theme);
});

test('the page of tags shows how often each tag is found, with messages of two teams', async () => {
	const all = demoMessages().slice(0, 2 * MESSAGES_OF_TWO);
	const rows = all.slice(0, MESSAGES_OF_TWO).map((first, index): IDataObject => {
		const second = all[index + MESSAGES_OF_TWO]!;
		const teams = new Set([first.team, second.team]);
		return { text: `${first.text} ${second.text}`, expected_teams: [...teams].join(', ') };
	});
	const team = (demoParameters as { questions: { question: IDataObject[] } }).questions.question.find(
		({ id }) => id === 'team',
	)!;
	const question = { ...team, type: 'tags', id: 'teams' };
	const workflow = rowOf('Tags', rows, [
		node('Answer Questions', 'decision', { ...demoParameters, questions: { question: [question] } }),
		node('Evaluate Answers', 'decision', {
			operation: 'evaluate',
			answerType: 'tags',
			answerField: 'teams',
			expectedField: 'expected_teams',
		}),
	]);
	await editor.openWorkflow(await setting.session.importWorkflow(workflow, setting.credentials));
	await editor.execute(MAX_ANSWERS_MS);
	await openReport();
	const file = await downloadReport();

	const page = await editor.page
		.context()
		.browser()!
		.newPage({ viewport: { width: 1200, height: 1200 } });
	await page.setContent(readFileSync(file, 'utf8'));
	expect(await page.locator('h1').innerText()).toMatch(
		new RegExp(`^\\d+ of ${MESSAGES_OF_TWO} rows have exactly the expected tags$`),
	);
	const { option: options } = team.options as { option: Array<{ name: string }> };
	const shown = await page.locator('section').nth(1).innerText();
	for (const { name } of options) expect(shown).toContain(name);
	await takePictureAround(page.locator('section').nth(1), 'evaluation-tags', SECTION_MARGIN);
	await page.close();
});

async function openReport(): Promise<void> {
	await editor.openNode('Evaluate Answers');
	await byTestId(editor.output, 'radio-button-binary').click();
}

/** Downloads the page from the open node, and closes the node. Returns the path of the file. */
async function downloadReport(): Promise<string> {
	const downloading = editor.page.waitForEvent('download');
	await byTestId(editor.output, 'ndv-download-binary-data').click();
	const file = await (await downloading).path();
	await editor.closeNode();
	return file;
}

async function showFile(file: string, theme: (typeof THEMES)[number]): Promise<void> {
	const browser = editor.page.context().browser()!;
	const page = await browser.newPage({ colorScheme: theme, viewport: { width: 1200, height: 3000 } });
	await page.setContent(readFileSync(file, 'utf8'));
	await expectTheWholePage(page);
	expect(await colourOf(page.locator('body'))).toBe(BACKGROUND[theme]);
	if (theme === 'light') await takePicturesOfSections(page);
	await page.close();
}

async function takePicturesOfSections(page: Page): Promise<void> {
	for (const [index, name] of SECTIONS.entries()) {
		await takePictureAround(page.locator('section').nth(index), `evaluation-${name}`, SECTION_MARGIN);
	}
}

/** The pictures of the page's sections have these names. */
const SECTIONS = ['accuracy', 'thresholds', 'options', 'confusion', 'calibration'] as const;

const SECTION_MARGIN = { left: 16, top: -2, right: 16, bottom: 12 };

/** The page has this background colour in each theme. */
const BACKGROUND = { light: 'rgb(255, 255, 255)', dark: 'rgb(27, 28, 32)' };

async function expectTheWholePage(page: Page | FrameLocator): Promise<void> {
	const matrix = page.locator('table.matrix');
	await matrix.waitFor();
	expect(await page.locator('section').count()).toBe(SECTIONS.length);
	expect(await matrix.locator('tbody tr').count()).toBe(5);
	const counts = await matrix.locator('tbody td:not(.found)').allInnerTexts();
	expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(385);
}

async function colourOf(element: Locator): Promise<string> {
	return await element.evaluate((body) => getComputedStyle(body).backgroundColor);
}

test("the template with n8n's evaluations: creates its table, is evaluated by n8n, and then shows the page", async () => {
	const { session } = setting;
	const template = readTemplate('test-questions-in-evaluations.json');
	const id = await session.importWorkflow(template, setting.credentials);
	const first = await submitForm(id);
	await first.getByText('The table is ready').waitFor();
	const { outputs } = await session.latestExecution(id);
	expect(outputs['Insert Rows']![0]).toHaveLength(36);
	await chooseTable(id, String(outputs['Create Table']![0]![0]!.json.id));

	await session.call('POST', `/workflows/${id}/test-runs/new`, {});
	const { status, metrics } = await evaluated(id);
	expect(status).toBe('completed');
	expect(metrics).toMatchObject({
		correct: expect.any(Number) as number,
		confidence: expect.any(Number) as number,
	});

	const second = await submitForm(id);
	await second.getByText('36 rows', { exact: true }).waitFor();
	const share = `${Math.round(metrics!.correct! * 100)}%`;
	expect(await second.locator('main').innerText()).toContain(share);
});

/** Executes a workflow, and submits the form that opens. */
async function submitForm(workflowId: string): Promise<Page> {
	await editor.openWorkflow(workflowId);
	const opened = editor.page.waitForEvent('popup');
	await byTestId(editor.page, 'execute-workflow-button').click();
	const form = await opened;
	await form.locator('button[type=submit]').click();
	return form;
}

/** Chooses the table in both nodes that cannot find it by its name, as a person does from the list. */
async function chooseTable(workflowId: string, tableId: string): Promise<void> {
	const workflow = (await setting.session.call('GET', `/workflows/${workflowId}`)) as {
		nodes: INode[];
		connections: object;
		versionId: string;
	};
	const nodes = workflow.nodes.map((one) => {
		const { dataTableId } = one.parameters as { dataTableId?: { mode: string } };
		return dataTableId?.mode === 'list'
			? { ...one, parameters: { ...one.parameters, dataTableId: { ...dataTableId, value: tableId } } }
			: one;
	});
	const { connections, versionId } = workflow;
	await setting.session.call('PATCH', `/workflows/${workflowId}`, { nodes, connections, versionId });
}

interface TestRun {
	status: string;
	/** Holds the mean of each metric, after the run has ended. */
	metrics: Record<string, number> | null;
}

/** Waits for n8n's latest evaluation of a workflow to end, and returns it. */
async function evaluated(workflowId: string): Promise<TestRun> {
	const deadline = performance.now() + MAX_EVALUATION_MS;
	for (;;) {
		const [run] = (await setting.session.call('GET', `/workflows/${workflowId}/test-runs`)) as TestRun[];
		if (run && run.status !== 'new' && run.status !== 'running') return run;
		if (performance.now() > deadline) throw new Error('The evaluation has not ended');
		await editor.page.waitForTimeout(500);
	}
}
