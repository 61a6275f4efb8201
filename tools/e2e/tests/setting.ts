import { join } from 'node:path';

import type { Browser, Locator, Page } from 'playwright-core';

import { decideByMeaning } from '../../../emulator/decideByMeaning';
import { Emulator } from '../../../emulator/Emulator';
import { launchChromium, WAIT_MS } from '../Chromium';
import { Editor } from '../Editor';
import { N8nSession, type StoredCredential } from '../N8nSession';

/** Describes the setting of a test file: the n8n that all files share, and an emulator of its own. */
export interface Setting {
	n8nUrl: string;
	/** This is also the home folder of n8n. */
	userFolder: string;
	session: N8nSession;
	emulator: Emulator;
	/** Holds the credentials for imported workflows, by type. */
	credentials: Record<string, StoredCredential>;
	close(): Promise<void>;
}

export async function openSetting(options: Parameters<typeof Emulator.start>[0] = {}): Promise<Setting> {
	const { E2E_N8N_URL: n8nUrl, E2E_N8N_FOLDER: userFolder } = process.env;
	if (n8nUrl === undefined || userFolder === undefined) {
		throw new Error('Run these tests by npm run test:e2e, which starts n8n');
	}
	const session = await N8nSession.signIn(n8nUrl);
	// The emulator's model answers as in `npm start`. A test can pass a simpler decider instead, if its texts name the options.
	const emulator = await Emulator.start({ decide: decideByMeaning, ...options });
	const credential = await session
		.createCredential('Inference Service', 'inferenceServiceApi', {
			baseUrl: emulator.url,
			apiKey: emulator.apiKey,
		})
		.catch(async (error: unknown) => {
			await emulator.close();
			throw error;
		});
	return {
		n8nUrl,
		userFolder,
		session,
		emulator,
		credentials: { inferenceServiceApi: credential },
		close: async () => {
			await emulator.close();
		},
	};
}

export async function openBrowser(): Promise<Browser> {
	return await launchChromium();
}

/** Opens n8n's editor for all tests of a file, saves a view of it after each, and closes everything afterwards. */
export function openEditorForAll(
	take: (opened: { setting: Setting; editor: Editor }) => void,
	options: Parameters<typeof openSetting>[0] = {},
): void {
	let setting: Setting | undefined;
	let browser: Browser | undefined;
	let editor: Editor | undefined;
	beforeAll(async () => {
		setting = await openSetting(options);
		browser = await openBrowser();
		editor = await Editor.open(browser, setting.n8nUrl);
		await hideOtherCredentials(editor.page, setting);
		take({ setting, editor });
	});
	saveViews(() => editor?.page);
	afterAll(async () => {
		await browser?.close();
		await setting?.close();
	});
}

/**
 * Hides the credentials of other test files. If there is only one credential, as for a new user, n8n selects it. With several, it
 * could select one of another file.
 */
async function hideOtherCredentials(page: Page, { credentials }: Setting): Promise<void> {
	const { id } = credentials.inferenceServiceApi!;
	await page.route(/\/rest\/credentials(\/for-workflow)?\?/, async (route) => {
		// n8n may close a connection just when it is used again.
		const response = await route.fetch({ maxRetries: 3 });
		const { data } = (await response.json()) as { data: Array<{ id: string; type: string }> };
		const shown = data.filter((one) => one.type !== 'inferenceServiceApi' || one.id === id);
		await route.fulfill({ response, json: { data: shown } });
	});
}

/** Opens a page for somebody who is not signed in. */
export async function openVisitorPage(browser: Browser): Promise<Page> {
	const page = await browser.newPage({ viewport: { width: 800, height: 700 }, colorScheme: 'light' });
	page.setDefaultTimeout(WAIT_MS);
	return page;
}

/** Waits for an image to load. Rejects if it cannot be read. */
export async function expectToShow(image: Locator): Promise<void> {
	await image.evaluate(async (element: HTMLImageElement) => await element.decode());
}

/** Saves what the page shows after each test, so that a failure can be looked at. */
export function saveViews(page: () => Page | undefined): void {
	afterEach(async () => {
		const folder = process.env.E2E_VIEWS;
		if (!folder) return;
		const name = (expect.getState().currentTestName ?? 'test').replace(/[^a-z0-9]+/gi, '-').slice(0, 80);
		await page()?.screenshot({ path: join(folder, `${name}.png`) });
	});
}

/** Takes a picture of a part of the page for the README, if the run was asked for pictures. */
export async function takePicture(of: Locator, name: string): Promise<void> {
	if (!PICTURES_FOLDER) return;
	await comeToRest(of.page());
	await of.screenshot({ path: pathOfPicture(name), animations: 'disabled', style: STYLE });
}

/** Takes a picture of the part of the page that contains these elements, with a margin on each side. */
export async function takePictureAround(elements: Locator, name: string, margin = MARGIN): Promise<void> {
	if (!PICTURES_FOLDER) return;
	await comeToRest(elements.page());
	const boxes = (
		await Promise.all((await elements.all()).map(async (element) => await element.boundingBox()))
	).filter((box) => box !== null);
	const x = Math.min(...boxes.map((box) => box.x)) - margin.left;
	const y = Math.min(...boxes.map((box) => box.y)) - margin.top;
	const width = Math.max(...boxes.map((box) => box.x + box.width)) + margin.right - x;
	const height = Math.max(...boxes.map((box) => box.y + box.height)) + margin.bottom - y;
	await elements.page().screenshot({
		path: pathOfPicture(name),
		animations: 'disabled',
		style: STYLE,
		clip: { x, y, width, height },
	});
}

/**
 * Moves the mouse away, and waits until nothing fades in or out: a button that has just stopped spinning has no label.
 */
async function comeToRest(page: Page): Promise<void> {
	await page.mouse.move(0, 0);
	await page.waitForFunction(
		() => document.querySelector('[class*="-enter-active"], [class*="-leave-active"]') === null,
	);
}

const PICTURES_FOLDER = process.env.E2E_PICTURES;

/** This margin around a node on the canvas shows what is next to it, in pixels. */
const MARGIN = { left: 60, top: 40, right: 130, bottom: 60 };

// This style hides what should not be in a picture: recent notices, the neighbouring nodes at the sides of a node's dialog, the
// canvas's buttons and notes, and what is behind a dialog.
const STYLE = `.el-notification, [data-test-id="floating-nodes"], [data-test-id="execute-workflow-button"], [data-test-id="workflow-chat-button"], .vue-flow__panel, [data-test-id="sticky"] {
	visibility: hidden !important;
}
[data-test-id="ndv-backdrop"] {
	background: white !important;
}`;

function pathOfPicture(name: string): string {
	return join(PICTURES_FOLDER ?? '', `${name}.png`);
}
