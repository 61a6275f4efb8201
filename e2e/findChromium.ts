import { existsSync } from 'node:fs';

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of the machine: CHROMIUM, or where Debian and others put it; undefined when there is none. */
export function findChromium(): string | undefined {
	return [process.env.CHROMIUM ?? '', ...programs].find((program) => existsSync(program));
}
