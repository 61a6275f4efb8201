import { fixed } from './markdown';

/** A scenario as the results show it. */
export interface Section {
	title: string;
	/** What was measured and how, in Markdown. */
	setting: string;
	/** The table, in Markdown. */
	table: string;
	goals: Goal[];
	/** Why a goal is not reached, according to profiling. It is printed only if one is not reached. */
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
	return `- ${verdict}: ${what}: ${fixed(figure, digits)}${unit} (goal: ${bounds.join(', ')})`;
}
