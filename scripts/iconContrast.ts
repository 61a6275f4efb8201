import { readFileSync } from 'node:fs';

/** What n8n draws icons on, by theme: its rule `icon-contrast` names these. */
const BACKGROUNDS = { light: '#ffffff', dark: '#2b2b2b' } as const;

const PAINT = /\b(?:fill|stroke|stop-color)\s*[:=]\s*"?\s*([^";\s>]+)/g;

/** Says nothing about what is seen. */
const NO_COLOR = /^(?:none|transparent|url\(.*)$/;

/**
 * The best contrast of a colour in an SVG file with n8n's background, from 1 to 21, as WCAG 2.2 computes it.
 * @throws for a colour that is not given as `#rgb` or `#rrggbb`
 */
export function iconContrast(file: string, theme: keyof typeof BACKGROUNDS): number {
	const colors = [...readFileSync(file, 'utf8').matchAll(PAINT)]
		.map(([, color]) => color!)
		.filter((color) => !NO_COLOR.test(color));
	const background = luminance(BACKGROUNDS[theme]);
	// An SVG that names no colour is black.
	const contrasts = (colors.length === 0 ? ['#000'] : colors).map((color) => {
		const [darker, lighter] = [luminance(color), background].sort((a, b) => a - b) as [number, number];
		return (lighter + 0.05) / (darker + 0.05);
	});
	return Math.max(...contrasts);
}

/** From 0 (black) to 1 (white). */
function luminance(color: string): number {
	const digits = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(color);
	if (!digits) throw new Error(`"${color}" is neither #rgb nor #rrggbb`);
	const hex = digits[2] ?? [...digits[1]!].map((digit) => digit + digit).join('');
	const [red, green, blue] = [0, 2, 4].map((start) => {
		const share = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	}) as [number, number, number];
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
