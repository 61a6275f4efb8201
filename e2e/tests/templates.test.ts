import { join } from 'node:path';

import { Workbook } from 'exceljs';

import { ACCEPTED_MODELS } from '../../emulator/Emulator';
import { layoutProblems } from '../canvasLayout';
import { byTestId, type Editor } from '../Editor';
import { TEMPLATES_FOLDER } from '../paths';
import { MODEL_OF_TEMPLATES, readTemplate, templateFiles } from '../templates';
import { openEditorForAll, takePictureAround, type Setting } from './setting';
import { uploadStyle } from '../uploadStyle';

let setting: Setting;
let editor: Editor;

openEditorForAll((opened) => ({ setting, editor } = opened), {
	models: [...ACCEPTED_MODELS, MODEL_OF_TEMPLATES],
});

afterEach(() => setting.emulator.reset());

async function importFromFile(file: string): Promise<void> {
	await editor.openNewWorkflow();
	await editor.importFile(join(TEMPLATES_FOLDER, file));
	await byTestId(editor.page, 'zoom-to-fit').click();
	// The canvas moves there gradually.
	await editor.page.waitForTimeout(500);
}

test.each(templateFiles())(
	'%s, imported from its file, is easy to read, and its notes say what is missing',
	async (file) => {
		await importFromFile(file);
		const { nodes } = readTemplate(file);
		expect(await editor.page.locator('.vue-flow__node').count()).toBe(nodes.length);
		expect(await layoutProblems(editor.page)).toEqual([]);
		const texts = nodes.map(({ parameters }) => String(parameters.content ?? '')).join('\n');
		const untold = (await nodesWithIssues()).filter((name) => !texts.includes(`**${name}**`));
		expect(untold).toEqual([]);
	},
);

test('the form template, imported from its file: its first run routes a submission', async () => {
	// The window is so large that the canvas is shown at its own size.
	await editor.page.setViewportSize({ width: 2200, height: 1450 });
	await importFromFile('form-decided-and-routed.json');
	const form = await editor.executeByForm(async (page) => {
		await page.getByLabel('Name').fill('Nora');
		await page.getByLabel('Email').fill('nora@example.com');
		await page.getByLabel('Message').fill('I was charged twice for one payment, please refund the fee!');
	});
	await form.getByText('Your message is with our Billing team').waitFor();
	await byTestId(editor.canvasNode('Answer: Your Team'), 'canvas-node-status-success').waitFor();
	await form.close();
	await editor.page.locator('.vue-flow__pane').click({ position: { x: 20, y: 20 } });
	await takePictureAround(byTestId(editor.page, 'canvas-node'), 'form-routed');
});

test('the review queue, imported from its file: its first run takes a message', async () => {
	await importFromFile('review-queue.json');
	const form = await editor.executeByForm(async (page) => {
		await page.getByLabel('Message').fill('I was charged twice for one payment, please refund the fee!');
	});
	await form.getByText('Thank you').waitFor();
	await byTestId(editor.canvasNode('Decide the Team'), 'canvas-node-status-success').waitFor();
});

test('the sheet of questions, imported from its file: its first run returns a reply in each row', async () => {
	await importFromFile('draft-replies-to-a-sheet.json');
	await editor.executeByForm(async (page) => {
		await page.locator('input[type=file]').setInputFiles({
			name: 'questions.csv',
			mimeType: 'text/csv',
			buffer: Buffer.from('question\nWhere is my parcel?\nMay I send a book back?\n'),
		});
	});
	await byTestId(editor.canvasNode('Make a Spreadsheet'), 'canvas-node-status-success').waitFor();
	await editor.openNode('Put Into Columns');
	const rows = await editor.outputRows();
	expect(rows.map(({ question }) => question)).toEqual(['Where is my parcel?', 'May I send a book back?']);
	for (const row of rows) {
		expect(row).toMatchObject({ needs_person: 'true', problem: 'empty' });
		expect(row.reply).toContain('Thank you for writing');
		expect(row.summary).not.toBe('');
	}
});

test('balances-to-xlsx.json, imported from its file: its first run makes a file to download', async () => {
	await importFromFile('balances-to-xlsx.json');
	await editor.execute();
	await editor.openNode('Convert to Spreadsheet');
	const downloaded = editor.page.waitForEvent('download');
	await byTestId(editor.output, 'ndv-download-binary-data')
		.or(editor.output.getByText('Download'))
		.first()
		.click();
	const download = await downloaded;
	expect(download.suggestedFilename()).toBe('balances.xlsx');
	const sheet = await new Workbook().xlsx.readFile(await download.path());
	const [headings, ...rows] = sheet.getWorksheet('Balances')!.getSheetValues().slice(1) as unknown[][];
	expect(headings!.slice(1)).toEqual([
		'checked_at',
		...['balance', 'charge_balance', 'total_balance'],
		...['balance_text', 'charge_balance_text', 'total_balance_text'],
		'excel_date',
	]);
	const [checkedAt, ...amounts] = rows.at(-1)!.slice(1);
	const date = amounts.pop() as number;
	expect(amounts).toEqual([5, 95, 100, '5.000000', '95.000000', '100.000000']);
	// n8n writes no dates to a spreadsheet, and Excel counts days since the end of 1899.
	expect(Date.UTC(1899, 11, 30) + date * 86_400_000).toBeCloseTo(Date.parse(String(checkedAt)), -2);
});

test('the agent that asks, imported from its file: its first run asks the Decision node and opens a ticket', async () => {
	const message = 'I lost my card and need a new one, help me immediately!';
	setting.emulator.setScript([
		{ toolCalls: [{ name: 'Judge_the_Message', input: { message } }] },
		{ toolCalls: [{ name: 'Open_a_Ticket', input: { team: 'Cards', urgent: true, summary: 'Card lost' } }] },
		{ text: 'Our Cards team has your ticket.' },
	]);
	await importFromFile('agent-that-asks-before-it-acts.json');
	await editor.chat(message);
	await editor.page.getByText('Our Cards team has your ticket.').first().waitFor();
	for (const name of ['AI Agent', 'Inference Chat Model', 'Judge the Message', 'Open a Ticket']) {
		await byTestId(editor.canvasNode(name), 'canvas-node-status-success').waitFor();
	}
	expect(setting.emulator.requests.map(({ path }) => path)).toEqual([
		'/messages',
		'/systemone',
		'/messages',
		'/messages',
	]);
	await editor.closeChat();
	await byTestId(editor.page, 'zoom-to-fit').click();
	await editor.page.waitForTimeout(500);
	await takePictureAround(byTestId(editor.page, 'canvas-node'), 'agent-canvas', {
		left: 60,
		top: 40,
		right: 130,
		bottom: 80,
	});
});

test('the second opinion, imported from its file: its first run says who decided', async () => {
	const says = { Billing: false, Cards: false, Account: false, fallback: false };
	const opinion = (request: object) =>
		JSON.stringify(request).includes('machine') ? { ...says, Cards: true } : { ...says, fallback: true };
	const step = (request: object) => ({ text: JSON.stringify(opinion(request)) });
	setting.emulator.setScript([step, step]);
	await importFromFile('second-opinion.json');
	await editor.execute();
	const rowsOf = async (name: string) => {
		await editor.openNode(name);
		const rows = await editor.outputRows();
		await editor.closeNode();
		return rows;
	};
	expect(await rowsOf('Billing Team')).toMatchObject([{ team: 'Billing', decided_by: 'Decide the Team' }]);
	expect(await rowsOf('Account Team')).toMatchObject([{ team: 'Account', decided_by: 'Decide the Team' }]);
	expect(await rowsOf('Cards Team')).toMatchObject([
		{ text: expect.stringContaining('machine') as string, team: 'Cards', decided_by: 'Second Opinion' },
	]);
	expect(await rowsOf('Ask a Person')).toMatchObject([{ text: 'What a lovely day' }]);
});

test('the voice styles, imported from their file: the first run deletes those for tests', async () => {
	const service = { url: setting.emulator.url, key: setting.emulator.apiKey };
	for (const name of ['narrator', 'test-1']) await uploadStyle(service, name);
	await importFromFile('voice-styles-tidied.json');
	await editor.execute();
	await editor.openNode('Delete Voice Style');
	expect(await editor.outputRows()).toEqual([
		expect.objectContaining({ customName: 'test-1', deleted: 'true' }),
	]);
});

/** The names of the nodes that the editor marks with a red triangle. */
async function nodesWithIssues(): Promise<Array<string | null>> {
	const marked = byTestId(editor.page, 'canvas-node').filter({ has: byTestId(editor.page, 'node-issues') });
	return await Promise.all((await marked.all()).map(async (one) => await one.getAttribute('data-node-name')));
}
