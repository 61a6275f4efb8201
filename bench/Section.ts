import { fixed } from './markdown';

/** A scenario as the results show it. */
export interface Section {
	title: string;
	/** Markdown: what was measured, and how. */
	setting: string;
	/** Markdown. */
	table: string;
	goals: Goal[];
}

export interface Goal {
	what: string;
	figure: number;
	digits: number;
	unit: string;
	atLeast?: number;
	atMost?: number;
	/** Why it is not reached, as profiling shows it; printed only then. */
	reason?: string;
}

export function isReached({ figure, atLeast = -Infinity, atMost = Infinity }: Goal): boolean {
	return figure >= atLeast && figure <= atMost;
}

export function toMarkdown({ title, setting, table, goals }: Section): string {
	return [`## ${title}`, setting, table, goals.map(describe).join('\n')]
		.filter((part) => part !== '')
		.join('\n\n');
}

function describe(goal: Goal): string {
	const { what, figure, digits, unit, atLeast, atMost, reason } = goal;
	const bounds = [
		...(atLeast === undefined ? [] : [`at least ${atLeast}${unit}`]),
		...(atMost === undefined ? [] : [`at most ${atMost}${unit}`]),
	];
	const verdict = isReached(goal) ? 'Reached' : '**Not reached**';
	const why = isReached(goal) || reason === undefined ? '' : ` ${reason}`;
	return `- ${verdict}: ${what} ${fixed(figure, digits)}${unit} (to reach: ${bounds.join(', ')}).${why}`;
}
