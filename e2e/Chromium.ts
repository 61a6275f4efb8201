import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Every wait in the browser ends after so many milliseconds, with an error that names what was waited for. */
export const WAIT_MS = 15_000;

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of the machine: CHROMIUM, or where Debian and others put it; undefined when there is none. */
export function findChromium(): string | undefined {
	return [process.env.CHROMIUM ?? '', ...programs].find((program) => existsSync(program));
}

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
