import { findProgram } from './findProgram';

/**
 * Finds the browser that the variable CHROMIUM names, or else under one of its usual names. Returns undefined if there is none.
 */
export function findChromium(): string | undefined {
	return findProgram(
		...(process.env.CHROMIUM ? [process.env.CHROMIUM] : []),
		'chromium',
		'chromium-browser',
		'google-chrome',
	);
}
