import { isForRest } from '../questions/restOption';
import { increase } from '../../shared/values/increase';
import { withoutSigns } from '../../shared/text/composed';
import type { Pause } from '../../shared/run/yieldRegularly';
import { SIGNIFICANCE_LEVEL } from './compareAnswers';
import { describeLabels, type ConfusionPair, type LabelFigures } from './confusion';
import { highest } from './page/highest';
import { labelsIn } from './Row';
import { wilsonInterval } from './wilsonInterval';

/** Describes an expected label that no answer is. It is probably spelled differently from its option. */
export interface UnusedLabel {
	label: string;
	/** Counts the rows with an answer in which the label is expected. */
	rows: number;
	/** Names the answer to most of these rows that no row expects. That answer is probably the option that is meant. */
	answered: { label: string; rows: number } | undefined;
	/** Names an answer, to whatever row, that differs from the label in nothing but signs. It is probably the option that is meant. */
	alike: string | undefined;
}

/** A single row may be a slip of whoever labelled it. */
const MIN_ROWS = 2;

/** An answer to rows of one label only is another name for it. An option for the rest is answered to rows of several labels. */
const MIN_SHARE_OF_RENAMED = 0.8;

/** People also put these between several labels in one cell. */
const SEPARATORS = /[,，、،;；؛|/&+\n]/;

/** Two options may differ in one of these alone, such as C and C++, A and A-, 1 and -1, or 10 and 10%. */
const TELLING_SIGNS = /[+#%<>=≤≥]|^[-−–](?=\d)|[-−–]$/g;

/**
 * Finds the expected labels that are probably no options. A rare option may just never have been answered. So a label is found only if
 * there is an answer that differs from it in nothing but signs, if an answer that no row expects is given to most of its rows and to hardly
 * any other, if it consists of several other labels, or if it is improbable for an option that is answered as often, where it is expected,
 * as the labels that are answered at all.
 */
export async function findUnusedLabels(
	confusion: ConfusionPair[],
	labels: LabelFigures[],
	pause: Pause,
): Promise<UnusedLabel[]> {
	const isUnused = ({ support, precision }: LabelFigures) => support > 0 && precision === null;
	if (!labels.some(isUnused)) return [];
	const expected = new Set(labels.filter(({ support }) => support > 0).map(({ label }) => label));
	const known = new Set(labels.map(({ label }) => withoutSigns(label)));
	const pairs = confusion.filter(({ answer }) => answer !== null);
	const answeredRows = await describeLabels(pairs, pause);
	const unused = answeredRows.filter(isUnused);
	const answered = answeredRows.filter(({ precision }) => precision !== null);
	const options = new Map(answered.map(({ label }) => [alikeKey(label), label]));
	const answersTo = new Map(unused.map(({ label }) => [label, new Map<string, number>()]));
	const givenRows = new Map<string, number>();
	for (const { expected: value, answer, count } of pairs) {
		await pause();
		const unexpected = labelsIn(answer!).filter((label) => !expected.has(label));
		for (const other of unexpected) increase(givenRows, other, count);
		for (const label of labelsIn(value)) {
			const answers = answersTo.get(label);
			if (answers) for (const other of unexpected) increase(answers, other, count);
		}
	}
	// The labels that are never answered say nothing about how often an option is, and there may be many of them.
	let [support, missing] = [0, 0];
	for (const figures of answered) {
		await pause();
		support += figures.support;
		missing += figures.missing;
	}
	const others = wilsonInterval(support - missing, support);
	// Of many labels, one or another is improbable. So all of them share the level (Bonferroni's correction).
	const level = SIGNIFICANCE_LEVEL / expected.size;
	const found: UnusedLabel[] = [];
	for (const { label, support: rows } of unused) {
		await pause();
		const [most] = highest([...answersTo.get(label)!], 1, ([, count]) => count);
		const isImprobable = rows >= MIN_ROWS && others !== null && (1 - others.low) ** rows < level;
		const isRenamed =
			most !== undefined &&
			!isForRest(most[0], '') &&
			most[1] >= MIN_ROWS &&
			most[1] * 2 > rows &&
			most[1] >= MIN_SHARE_OF_RENAMED * givenRows.get(most[0])!;
		const isMostAlike = most !== undefined && withoutSigns(most[0]) === withoutSigns(label);
		const alike = isMostAlike ? most[0] : options.get(alikeKey(label));
		const parts = label
			.split(SEPARATORS)
			.map(withoutSigns)
			.filter((part) => part !== '');
		const isJoined = parts.length > 1 && parts.every((part) => known.has(part));
		if (isImprobable || isRenamed || alike !== undefined || isJoined) {
			found.push({ label, rows, answered: most && { label: most[0], rows: most[1] }, alike });
		}
	}
	return found;
}

/** Returns a text that is equal for all labels that probably mean the same option. */
function alikeKey(label: string): string {
	return JSON.stringify([withoutSigns(label), label.match(TELLING_SIGNS)]);
}
