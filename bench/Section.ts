import { fixed } from './markdown';

/** A scenario as the results show it. */
export interface Section {
	title: string;
	/** Markdown: what was measured, and how. */
	setting: string;
	/** Markdown. */
	table: string;
	goals: Goal[];
	/** Why a goal is not reached, as profiling shows it; printed only where one is not. */
	reason?: string;
}

export interface Goal {
	what: string;
	figure: number;
	digits: number;
	unit: string;
	atLeast?: number;
	atMost?: number;
}

export function isReached({ figure, atLeast = -Infinity, atMost = Infinity }: Goal): boolean {
	return figure >= atLeast && figure <= atMost;
}

export function toMarkdown({ title, setting, table, goals, reason = '' }: Section): string {
	const why = goals.every(isReached) ? '' : reason;
	return [`## ${title}`, setting, table, goals.map(describe).join('\n'), why]
		.filter((part) => part !== '')
		.join('\n\n');
}

function describe(goal: Goal): string {
	const { what, figure, digits, unit, atLeast, atMost } = goal;
	const bounds = [
		...(atLeast === undefined ? [] : [`at least ${atLeast}${unit}`]),
		...(atMost === undefined ? [] : [`at most ${atMost}${unit}`]),
	];
	const verdict = isReached(goal) ? 'Reached' : '**Not reached**';
	return `- ${verdict}: ${what} ${fixed(figure, digits)}${unit} (to reach: ${bounds.join(', ')})`;
}
