export type Theme = 'light' | 'dark';

interface Colors {
	background: string;
	text: string;
	detail: string;
	track: string;
	bar: string;
	ownBar: string;
}

/** What a client got at the limit, as medians. */
interface Delivery {
	name: string;
	isOwn: boolean;
	delivered: number;
	seconds: number;
}

interface LimitResults {
	/** How many requests a second the service allows. */
	limit: string;
	/** After how many seconds a client that knew the limit would be done. */
	ideal: string;
	/** How many items were sent. */
	items: number;
	deliveries: Delivery[];
}

/** The rows that are drawn, and what the chart calls them. */
const NAMES: Record<string, string> = {
	'this node, default, 8': 'This node',
	'HTTP Request, batched': 'HTTP Request, hand-tuned',
	'Anthropic SDK, 8': 'Anthropic SDK, 8 at once',
	'Anthropic SDK, 64': 'Anthropic SDK, 64 at once',
	'Anthropic node': 'Anthropic node',
	'HTTP Request, default': 'HTTP Request node',
};

const OWN_ROW = 'this node, default, 8';

const SECTION = /^## 4\. A limit of (\d+) requests a second.*?(?=^## |(?![^]))/ms;
const TABLE = /^\| without Retry-After \|.*?(?=\n\n)/ms;
const IDEAL = /Ideal: ([\d.]+) s/;
/** Matches rows such as `| HTTP Request, default | 21 (20–21) of 200 | 0.8 (0.8–1.2) |`. */
const ROW = /^\| ([^|]+?) \| ([\d.]+)[^|]* of (\d+) \| ([\d.]+)/gm;

/** GitHub's own page colours. */
const COLORS: Record<Theme, Colors> = {
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
const TITLE_LINE = 30;
const DETAIL_LINE = 24;
const ROW_HEIGHT = 38;
const BAR_HEIGHT = 20;
const BARS_FROM = 280;
const BARS_TO = 580;

/**
 * An SVG of what this node and its peers deliver at a limit, and in what time.
 * @param results Markdown, as `npm run bench` writes it
 * @throws Error if it has no such table, or none for this node
 */
export function limitChart(results: string, theme: Theme): string {
	const found = readResults(results);
	const colors = COLORS[theme];
	const finding = findingOf(found);
	const details = [
		`Items delivered of ${found.items}, and in what time (the shortest possible is ${found.ideal} s).`,
		'The service refuses what exceeds the limit, and does not say how long to wait.',
	];
	const titleTop = MARGIN + TITLE_LINE;
	const detailsTop = titleTop + finding.length * TITLE_LINE;
	const rowsTop = detailsTop + details.length * DETAIL_LINE;
	const height = rowsTop + found.deliveries.length * ROW_HEIGHT + MARGIN;
	return `${[
		`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title description" font-family="-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif">`,
		`<title id="title">${finding.join(' ')}</title>`,
		`<desc id="description">${found.deliveries.map((one) => `${one.name}: ${shown(one)}`).join('. ')}.</desc>`,
		`<rect width="${WIDTH}" height="${height}" fill="${colors.background}"/>`,
		...finding.map(
			(line, index) =>
				`<text x="${MARGIN}" y="${titleTop + index * TITLE_LINE}" font-size="23" font-weight="600" fill="${colors.text}">${line}</text>`,
		),
		...details.map(
			(line, index) =>
				`<text x="${MARGIN}" y="${detailsTop + index * DETAIL_LINE}" font-size="17" fill="${colors.detail}">${line}</text>`,
		),
		...found.deliveries.flatMap((one, index) =>
			rowOf(one, found.items, rowsTop + index * ROW_HEIGHT, colors),
		),
		'</svg>',
	].join('\n')}\n`;
}

function readResults(results: string): LimitResults {
	const [section = '', limit] = SECTION.exec(results) ?? [];
	const ideal = IDEAL.exec(section)?.[1];
	const rows = [...(TABLE.exec(section)?.[0] ?? '').matchAll(ROW)];
	const deliveries = Object.entries(NAMES).flatMap(([label, name]): Delivery[] => {
		const row = rows.find(([, inTable]) => inTable === label);
		if (row === undefined) return [];
		return [{ name, isOwn: label === OWN_ROW, delivered: Number(row[2]), seconds: Number(row[4]) }];
	});
	if (limit === undefined || ideal === undefined || !deliveries.some(({ isOwn }) => isOwn)) {
		throw new Error('The results have no table of scenario 4 with this node: run npm run bench');
	}
	return { limit, ideal, items: Number(rows[0]![3]), deliveries };
}

/** What the chart shows, in two lines. */
function findingOf({ limit, items, deliveries }: LimitResults): string[] {
	const own = deliveries.find(({ isOwn }) => isOwn)!;
	const least = Math.min(...deliveries.filter(({ isOwn }) => !isOwn).map(({ delivered }) => delivered));
	const share = own.delivered === items ? `all ${items}` : `${own.delivered} of ${items}`;
	const others = least < own.delivered ? `, others as few as ${least}` : '';
	return [
		`At a limit of ${limit} requests a second, this node`,
		`delivers ${share} items in ${own.seconds} s${others}`,
	];
}

function shown({ delivered, seconds }: Delivery): string {
	return `${delivered} in ${seconds.toFixed(1)} s`;
}

/** A name, a bar, and its figures. */
function rowOf(delivery: Delivery, items: number, top: number, colors: Colors): string[] {
	const { name, isOwn, delivered } = delivery;
	const width = BARS_TO - BARS_FROM;
	const barTop = top + (ROW_HEIGHT - BAR_HEIGHT) / 2;
	const text = `y="${top + ROW_HEIGHT / 2 + 6}" font-size="18" font-weight="${isOwn ? 600 : 400}" fill="${colors.text}"`;
	const bar = `x="${BARS_FROM}" y="${barTop}" height="${BAR_HEIGHT}" rx="3"`;
	return [
		`<text x="${BARS_FROM - 12}" text-anchor="end" ${text}>${name}</text>`,
		`<rect ${bar} width="${width}" fill="${colors.track}"/>`,
		`<rect ${bar} width="${Math.round((width * delivered) / items)}" fill="${isOwn ? colors.ownBar : colors.bar}"/>`,
		`<text x="${BARS_TO + 12}" ${text}>${shown(delivery)}</text>`,
	];
}
