import { findProgram } from './findProgram';

/**
 * The browser of this machine, from the variable CHROMIUM or under one of its usual names; undefined when there is
 * none.
 */
export function findChromium(): string | undefined {
	return findProgram(
		...(process.env.CHROMIUM ? [process.env.CHROMIUM] : []),
		'chromium',
		'chromium-browser',
		'google-chrome',
	);
}
