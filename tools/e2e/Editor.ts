import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

import { WAIT_MS } from './Chromium';
import { owner } from './N8nSession';

/** The button that executes the open node has the first label, or the second for a trigger that polls. */
const EXECUTE_STEP = /^\s*(?:Execute step|Fetch Test Event)\s*$/i;

/** Describes the element in which n8n's editor runs. Vue stores the app on it, which gives access to the router. */
interface VueRoot {
	__vue_app__: { config: { globalProperties: { $router: { push(path: string): Promise<unknown> } } } };
}

/** Uses n8n's editor in a browser as a person does. */
export class Editor {
	/** Holds the dialog of a node, with its input, parameters and output. */
	readonly nodeView: Locator;
	readonly input: Locator;
	readonly output: Locator;
	readonly credentialDialog: Locator;
	/**
	 * Says whether the open workflow has been saved. When n8n saves a new workflow for the first time, it changes the address,
	 * which would cancel a navigation by link.
	 */
	private showsSavedWorkflow = false;

	private constructor(
		readonly page: Page,
		private readonly context: BrowserContext,
		private readonly url: string,
	) {
		this.nodeView = byTestId(page, 'ndv');
		this.input = byTestId(this.nodeView, 'ndv-input-panel');
		this.output = byTestId(this.nodeView, 'output-panel');
		this.credentialDialog = byTestId(page, 'editCredential-modal');
	}

	/** Opens a page with its own session, signed in. */
	static async open(browser: Browser, url: string): Promise<Editor> {
		const context = await browser.newContext({
			viewport: { width: 1400, height: 900 },
			colorScheme: 'light',
		});
		context.setDefaultTimeout(WAIT_MS);
		await context.request.post(`${url}/rest/login`, {
			data: { emailOrLdapLoginId: owner.email, password: owner.password },
		});
		return new Editor(await context.newPage(), context, url);
	}

	async close(): Promise<void> {
		await this.context.close();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.goTo(`/workflow/${id}`);
		await byTestId(this.page, 'canvas-node').first().waitFor();
		this.showsSavedWorkflow = true;
	}

	async openNewWorkflow(): Promise<void> {
		await this.goTo('/workflow/new');
		await byTestId(this.page, 'canvas-add-button').waitFor();
		this.showsSavedWorkflow = false;
	}

	/** Leaves n8n, so that the next workflow loads all of it again. */
	async unload(): Promise<void> {
		this.showsSavedWorkflow = false;
		await this.page.goto('about:blank');
	}

	/** Goes to a page of n8n, if possible by its router, because loading all of n8n again takes ten seconds. */
	private async goTo(path: string): Promise<void> {
		// The dialog of a credential does not belong to the workflow, so it would stay open.
		if (!this.showsSavedWorkflow || (await this.credentialDialog.isVisible())) {
			await this.page.goto(`${this.url}${path}`);
			return;
		}
		// A page without a canvas is opened first. Otherwise the nodes of the previous workflow might be taken for the new ones.
		await Promise.all([this.followLink('/settings/personal'), this.leaveWorkflow()]);
		await this.followLink(path);
	}

	private async followLink(path: string): Promise<void> {
		await this.page.evaluate(async (to) => {
			const { __vue_app__: app } = document.querySelector('#app') as unknown as VueRoot;
			await app.config.globalProperties.$router.push(to);
		}, path);
	}

	/** Waits until the canvas is gone. Unsaved changes are lost, as they are when the page is loaded again. */
	private async leaveWorkflow(): Promise<void> {
		// This waits for the layout of the settings. Until it is loaded, n8n shows the settings in the layout of the workflow,
		// and if that layout is never taken down, n8n does not load the next workflow.
		const settings = byTestId(this.page, 'settings-back');
		const giveUp = this.page.getByRole('button', { name: 'Leave without saving' });
		await settings.or(giveUp).first().waitFor();
		if (await giveUp.isVisible()) await giveUp.click();
		await settings.waitFor();
	}

	/** Searches in the node creator. Returns the entries, each with a name, a description and an icon. */
	async searchNodes(text: string): Promise<Locator> {
		const entries = byTestId(this.page, 'item-iterator-item');
		if (!(await byTestId(this.page, 'node-creator').isVisible())) {
			await byTestId(this.page, 'node-creator-plus-button').click();
		}
		await byTestId(this.page, 'node-creator-search-bar').fill(text);
		await entries.filter({ hasText: text }).first().waitFor();
		return entries;
	}

	/** Adds a node behind the only node with a free output, by its name and the label of its action. */
	async addNode(name: string, action: string): Promise<void> {
		await byTestId(this.page, 'canvas-handle-plus').first().click();
		await byTestId(this.page, 'node-creator').waitFor();
		const entries = await this.searchNodes(name);
		await entries.filter({ hasText: name }).first().click();
		await byTestId(this.page, 'node-creator').getByText(action, { exact: true }).click();
		await this.nodeView.waitFor();
	}

	async addTool(agent: string, name: string): Promise<void> {
		const handle = byTestId(this.canvasNode(agent), 'canvas-node-input-handle').filter({ hasText: 'Tool' });
		await byTestId(handle, 'canvas-handle-plus').click();
		await byTestId(this.page, 'node-creator').waitFor();
		const entries = await this.searchNodes(name);
		const entry = entries.filter({ hasText: name }).first();
		await entry.click();
		// n8n draws the list again while it loads its nodes, and then a click on the old list is lost.
		await this.nodeView.waitFor({ timeout: 5000 }).catch(async () => {
			await entry.click();
			await this.nodeView.waitFor();
		});
	}

	/** Chooses a stored credential for the open node. */
	async chooseCredential(id: string): Promise<void> {
		await byTestId(this.nodeView, 'node-credentials-select').click();
		await byTestId(this.page, `node-credentials-select-item-${id}`).filter({ visible: true }).click();
	}

	/** Fills the open workflow from a file, with the menu's "Import from File". */
	async importFile(path: string): Promise<void> {
		await byTestId(this.page, 'workflow-import-input').setInputFiles(path);
		await byTestId(this.page, 'canvas-node').first().waitFor();
	}

	canvasNode(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/** Returns the labels of a node's outputs on the canvas, from top to bottom. */
	async outputLabels(name: string): Promise<string[]> {
		const handles = byTestId(this.canvasNode(name), 'canvas-node-output-handle');
		// n8n draws a node before its handles.
		await handles.first().waitFor();
		return await handles.allInnerTexts();
	}

	/** Draws a connection with the mouse, from an output by its label to the input of another node. */
	async connect(from: string, output: string, to: string): Promise<void> {
		const start = byTestId(this.canvasNode(from), 'canvas-node-output-handle').filter({
			has: this.page.getByText(output, { exact: true }),
		});
		const end = byTestId(this.canvasNode(to), 'canvas-node-input-handle');
		await start.locator('.source').first().hover();
		await this.page.mouse.down();
		await end.locator('.target').first().hover();
		// The canvas notices the input only when the mouse moves over it for the second time.
		await end.locator('.target').first().hover();
		await this.page.mouse.up();
		await this.page
			.locator(`[data-test-id="edge"][data-source-node-name="${from}"][data-target-node-name="${to}"]`)
			.waitFor({ state: 'attached' });
	}

	/** Returns the names of the nodes at both ends of each connection. */
	async connections(): Promise<Array<[from: string, to: string]>> {
		return await byTestId(this.page, 'edge').evaluateAll((edges) =>
			edges.map((edge): [string, string] => [
				edge.getAttribute('data-source-node-name') ?? '',
				edge.getAttribute('data-target-node-name') ?? '',
			]),
		);
	}

	/** Executes the workflow from its trigger, and waits for its end. */
	async execute(timeout = WAIT_MS): Promise<void> {
		const button = byTestId(this.page, 'execute-workflow-button');
		const accepted = this.page.waitForResponse((response) => response.url().endsWith('/run'));
		await button.click();
		await accepted;
		await button.getByText('Execute workflow').waitFor({ timeout });
	}

	/** Executes a workflow that begins with a form, and submits the form that opens. Returns that page. */
	async executeByForm(fillIn: (form: Page) => Promise<void>): Promise<Page> {
		return await this.submitFormOf(byTestId(this.page, 'execute-workflow-button'), fillIn);
	}

	/** Executes a workflow that begins with a form up to the open node, and submits the form that opens. Returns that page. */
	async executeStepByForm(fillIn: (form: Page) => Promise<void>): Promise<Page> {
		return await this.submitFormOf(byTestId(this.nodeView, 'node-execute-button'), fillIn);
	}

	private async submitFormOf(button: Locator, fillIn: (form: Page) => Promise<void>): Promise<Page> {
		const opened = this.page.waitForEvent('popup');
		await button.click();
		const form = await opened;
		await fillIn(form);
		await form.getByRole('button', { name: 'Submit' }).click();
		await form.getByRole('button', { name: 'Submit' }).waitFor({ state: 'hidden' });
		return form;
	}

	/** Sends a message to the chat of the open workflow. */
	async chat(message: string): Promise<void> {
		const button = byTestId(this.page, 'workflow-chat-button');
		if ((await button.innerText()).includes('Open')) await button.click();
		const input = this.page.locator('textarea').filter({ visible: true });
		await input.fill(message);
		await input.press('Enter');
	}

	async openNode(name: string): Promise<void> {
		await this.canvasNode(name).dblclick();
		await this.nodeView.waitFor();
	}

	async closeNode(): Promise<void> {
		await byTestId(this.nodeView, 'ndv-close-button').click();
		await this.nodeView.waitFor({ state: 'hidden' });
	}

	/** Returns the input of a parameter by its path, such as `questions.question[0].id`. */
	parameter(path: string): Locator {
		return this.nodeView.locator(`[data-parameter-path="parameters.${path}"]`);
	}

	async valueOf(path: string): Promise<string> {
		return await this.parameter(path).locator('input, textarea').inputValue();
	}

	async fill(path: string, text: string): Promise<void> {
		// A field that may be chosen from a list has a second input, for the mode, in which nobody can type.
		const input = this.parameter(path).locator('input:not([readonly]), textarea');
		await input.fill(text);
		// A field in focus shows a tip that covers what is below it.
		await input.blur();
	}

	async choose(path: string, option: string): Promise<void> {
		await this.parameter(path).click();
		const name = this.page.getByText(option, { exact: true });
		await this.page.getByRole('option').filter({ has: name, visible: true }).click();
	}

	/** Returns a field in the schema of the input, which can be dragged. */
	inputField(name: string): Locator {
		return this.input.locator(`[data-target="mappable"][data-name="${name}"]`);
	}

	/** Drags a field from the schema of the input onto a parameter, and waits until it appears there. */
	async dragField(name: string, path: string): Promise<void> {
		const field = this.inputField(name);
		const target = this.parameter(path);
		const before = await this.valueOf(path);
		await field.hover();
		await this.page.mouse.down();
		await target.hover();
		// The parameter notices the field only when the mouse moves over it for the second time.
		await target.hover({ position: { x: 30, y: 20 } });
		await this.page.mouse.up();
		await this.page.waitForFunction(([input, value]) => (input as HTMLInputElement).value !== value, [
			await target.locator('input, textarea').elementHandle(),
			before,
		] as const);
	}

	/** Returns the texts of the hints above the output. */
	async hints(): Promise<string[]> {
		return await this.output.locator('[data-test-id="node-hint"]').allInnerTexts();
	}

	/** Returns the entries of a dropdown. */
	async optionsOf(path: string): Promise<string[]> {
		await this.parameter(path).click();
		const options = this.page.getByRole('option').filter({ visible: true });
		await options.first().waitFor();
		const texts = await options.allInnerTexts();
		await this.page.keyboard.press('Escape');
		await options.first().waitFor({ state: 'hidden' });
		return texts.map((text) => text.trim());
	}

	/** Presses the last button with this label, which belongs to the entry that was added last. */
	async press(label: string): Promise<void> {
		await this.nodeView.getByRole('button', { name: label, exact: true }).last().click();
	}

	/** Adds a field to a collection, by the text in the collection's selector. */
	async addField(selector: string, field: string): Promise<void> {
		await this.nodeView.getByPlaceholder(selector, { exact: true }).click();
		await this.page.getByRole('option').filter({ hasText: field, visible: true }).click();
	}

	/** Executes the node that is open, and waits for its output or its error. */
	async executeStep(): Promise<void> {
		const button = byTestId(this.nodeView, 'node-execute-button');
		const accepted = this.page.waitForResponse((response) => response.url().endsWith('/run'));
		await button.click();
		await accepted;
		await this.output.locator('[data-test-id^="node-run-status-"]').waitFor();
		await button.getByText(EXECUTE_STEP).waitFor();
	}

	/** Returns the rows of the open node's output table: the text of each cell by its column. */
	async outputRows(): Promise<Array<Record<string, string>>> {
		await byTestId(this.output, 'radio-button-table').click();
		const table = byTestId(this.output, 'ndv-data-container').locator('table');
		await table.locator('tbody td').first().waitFor();
		return await table.evaluate((element: HTMLTableElement) => {
			const textsOf = (selector: string, within: Element) =>
				[...within.querySelectorAll(selector)].map((cell) => cell.textContent.trim());
			const columns = textsOf('thead th', element);
			return [...element.querySelectorAll('tbody tr')].map((row) => {
				const cells = textsOf('td', row);
				return Object.fromEntries(
					columns.flatMap((column, index) => (column ? [[column, cells[index] ?? '']] : [])),
				);
			});
		});
	}
}

export function byTestId(within: Page | Locator, id: string): Locator {
	return within.locator(`[data-test-id="${id}"]`);
}
