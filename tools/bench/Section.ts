import type { Chart } from './barChart';
import { fixed } from './markdown';

/** A scenario as the results show it. */
export interface Section {
	title: string;
	/** What was measured and how, in Markdown. */
	setting: string;
	/** The table, in Markdown. */
	table: string;
	chart?: Chart;
	/** Only where somebody would act on a miss. */
	goals: Goal[];
}

interface Goal {
	what: string;
	figure: number;
	digits: number;
	atLeast?: number;
	atMost?: number;
}

/** @param chartFile the path of the chart's picture, from the results */
export function toMarkdown({ title, setting, table, goals }: Section, chartFile?: string): string {
	const picture = chartFile === undefined ? '' : `![${title}](${chartFile})`;
	return [`## ${title}`, setting, picture, table, goals.map(describe).join('\n')]
		.filter((part) => part !== '')
		.join('\n\n');
}

function describe({ what, figure, digits, atLeast = -Infinity, atMost = Infinity }: Goal): string {
	const bound = atLeast > -Infinity ? `at least ${atLeast}` : `at most ${atMost}`;
	const verdict = figure >= atLeast && figure <= atMost ? 'Reached' : '**Not reached**';
	return `- ${verdict}: ${what}: ${fixed(figure, digits)} (goal: ${bound})`;
}
