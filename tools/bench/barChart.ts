export type Theme = 'light' | 'dark';

/** What a chart shows: one finding, and a bar for each name. */
export interface Chart {
	title: string;
	detail: string;
	bars: Array<{ name: string; isOwn: boolean; value: number; shown: string }>;
	/** The value of a full bar. Default: the largest. */
	most?: number;
}

/** GitHub's own page colours. */
const COLORS: Record<Theme, Record<'background' | 'text' | 'detail' | 'track' | 'bar' | 'ownBar', string>> = {
	light: {
		background: '#ffffff',
		text: '#1f2328',
		detail: '#59636e',
		track: '#eaeef2',
		bar: '#818b98',
		ownBar: '#6a4df5',
	},
	dark: {
		background: '#0d1117',
		text: '#f0f6fc',
		detail: '#9198a1',
		track: '#21262d',
		bar: '#757d87',
		ownBar: '#a48fff',
	},
};

// In pixels. At half this width, the text can still be read.
const WIDTH = 760;
const MARGIN = 16;
const HEAD_HEIGHT = 78;
const ROW_HEIGHT = 38;
const BAR_HEIGHT = 20;
const BARS_FROM = 280;
const BARS_WIDTH = 300;

const FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif";

/** An SVG of a chart. */
export function barChart({ title, detail, bars, most }: Chart, theme: Theme): string {
	const colors = COLORS[theme];
	const full = most ?? Math.max(...bars.map(({ value }) => value));
	const height = HEAD_HEIGHT + bars.length * ROW_HEIGHT + MARGIN;
	const rows = bars.flatMap(({ name, isOwn, value, shown }, index) => {
		const top = HEAD_HEIGHT + index * ROW_HEIGHT;
		const text = `y="${top + ROW_HEIGHT / 2 + 6}" font-size="18" font-weight="${isOwn ? 600 : 400}" fill="${colors.text}"`;
		const bar = `x="${BARS_FROM}" y="${top + (ROW_HEIGHT - BAR_HEIGHT) / 2}" height="${BAR_HEIGHT}" rx="3"`;
		return [
			`<text x="${BARS_FROM - 12}" text-anchor="end" ${text}>${name}</text>`,
			`<rect ${bar} width="${BARS_WIDTH}" fill="${colors.track}"/>`,
			`<rect ${bar} width="${Math.round((BARS_WIDTH * value) / full)}" fill="${isOwn ? colors.ownBar : colors.bar}"/>`,
			`<text x="${BARS_FROM + BARS_WIDTH + 12}" ${text}>${shown}</text>`,
		];
	});
	return `${[
		`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title description" font-family="${FONT}">`,
		`<title id="title">${title}</title>`,
		`<desc id="description">${bars.map(({ name, shown }) => `${name}: ${shown}`).join('. ')}.</desc>`,
		`<rect width="${WIDTH}" height="${height}" fill="${colors.background}"/>`,
		`<text x="${MARGIN}" y="40" font-size="19" font-weight="600" fill="${colors.text}">${title}</text>`,
		`<text x="${MARGIN}" y="66" font-size="16" fill="${colors.detail}">${detail}</text>`,
		...rows,
		'</svg>',
	].join('\n')}\n`;
}
