import { fixed } from '../../test/support/markdown';

/** Describes a section of the results, about one scenario. */
export interface Section {
	title: string;
	/** Says what was measured and how, in Markdown. */
	setting: string;
	/** Holds the table, in Markdown. */
	table: string;
	/** Holds the goals: figures on which somebody would act if they were missed. It is empty if the section only informs. */
	goals: Goal[];
}

interface Goal {
	what: string;
	figure: number;
	digits: number;
	atLeast?: number;
	atMost?: number;
}

export function toMarkdown({ title, setting, table, goals }: Section): string {
	return [`## ${title}`, setting, table, goals.map(describe).join('\n')]
		.filter((part) => part !== '')
		.join('\n\n');
}

function describe({ what, figure, digits, atLeast = -Infinity, atMost = Infinity }: Goal): string {
	const bound = atLeast > -Infinity ? `at least ${atLeast}` : `at most ${atMost}`;
	const verdict = figure >= atLeast && figure <= atMost ? 'Reached' : '**Not reached**';
	return `- ${verdict}: ${what}: ${fixed(figure, digits)} (goal: ${bound})`;
}
