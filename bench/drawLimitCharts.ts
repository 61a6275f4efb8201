import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { limitChart, type Theme } from './limitChart';

const IMAGES = resolve(__dirname, '../docs/images');

/** The README's pictures of scenario 4. */
export const LIMIT_CHARTS: Record<Theme, string> = {
	light: join(IMAGES, 'limit.svg'),
	dark: join(IMAGES, 'limit.dark.svg'),
};

/**
 * Draws the README's pictures again.
 * @param results Markdown, as `npm run bench` writes it
 */
export function drawLimitCharts(results: string): void {
	for (const [theme, file] of Object.entries(LIMIT_CHARTS) as Array<[Theme, string]>) {
		writeFileSync(file, limitChart(results, theme));
	}
}
