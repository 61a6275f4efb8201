import { chromium, type Browser } from 'playwright-core';

import { findChromium } from './findChromium';

/** Every wait in the browser ends after this time, with an error that names what it waited for. */
export const WAIT_MS = 30_000;

export async function launchChromium(): Promise<Browser> {
	const executablePath = findChromium();
	if (executablePath === undefined) throw new Error('No Chromium found: install it, or name it in CHROMIUM');
	return await chromium.launch({
		executablePath,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}
