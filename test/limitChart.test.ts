import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { LIMIT_CHARTS } from '../bench/drawLimitCharts';
import { limitChart, type Theme } from '../bench/limitChart';

const RESULTS = readFileSync(join(__dirname, '../bench/RESULTS.md'), 'utf8');

const documentOf = (...rows: string[]) => `# Results

## 3. Another

| without Retry-After | delivered | seconds |
| --- | ---: | ---: |
| this node, default, 8 | 1 of 9 | 9.9 |

## 4. A limit of 10 requests a second, burst 20, 60 items, 50 ms service

Ideal: 4 s. And so on.

| without Retry-After | delivered | seconds |
| --- | ---: | ---: |
${rows.join('\n')}

| with Retry-After: 1 | delivered | seconds |
| --- | ---: | ---: |
| Anthropic node | 2 of 60 | 2.2 |
`;

const OWN = '| this node, default, 8 | 60 (59–60) of 60 | 4.0 (3.9–4.1) |';

test.each(Object.entries(LIMIT_CHARTS))(
	'the %s chart shows the results as they are written',
	(theme, file) => {
		expect(readFileSync(file, 'utf8')).toBe(limitChart(RESULTS, theme as Theme));
	},
);

test.each(Object.values(LIMIT_CHARTS))('the README shows %s', (file) => {
	expect(readFileSync(join(__dirname, '../README.md'), 'utf8')).toContain(`docs/images/${basename(file)}"`);
});

test('it is drawn from the table of its scenario', () => {
	const chart = limitChart(documentOf(OWN, '| Anthropic node | 15 (14–20) of 60 | 1.5 (1.4–1.6) |'), 'light');
	expect(chart).toContain('delivers all 60 items in 4 s, others as few as 15</title>');
	expect(chart).toContain('>This node: 60 in 4.0 s. Anthropic node: 15 in 1.5 s.</desc>');
	expect(chart).toContain('the shortest possible is 4 s');
	expect([...chart.matchAll(/width="(\d+)" fill="#(?:6a4df5|818b98)"/g)].map(([, width]) => width)).toEqual([
		'300',
		'75',
	]);
});

test('its title claims nothing that the results do not show', () => {
	const own = '| this node, default, 8 | 50 of 60 | 4.5 |';
	expect(limitChart(documentOf(own, '| Anthropic node | 60 of 60 | 4.2 |'), 'dark')).toContain(
		'delivers 50 of 60 items in 4.5 s</title>',
	);
});

test.each([
	['no such scenario', '# Results\n'],
	['no row of this node', documentOf('| Anthropic node | 60 of 60 | 4.2 |')],
])('it cannot be drawn from %s', (_, results) => {
	expect(() => limitChart(results, 'light')).toThrow(/no table of scenario 4/);
});
