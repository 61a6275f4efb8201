import type { Pause } from '../../shared/run/yieldRegularly';
import type { Row } from './Row';
import { measureThresholds, recommendThreshold } from './thresholds';
import { observationsToShow, wilsonInterval } from './wilsonInterval';

/** Describes how many answers are used without a check, and how many of them are correct. */
export interface Decided {
	decided: number;
	correct: number;
}

/** Describes an option with its own threshold, beside the one of the node. */
interface OptionThreshold {
	label: string;
	/** Counts the answers with this label. */
	answers: number;
	/** The threshold is null if these rows cannot show one. That of the node then applies. */
	threshold: number | null;
	/** Holds the answers with this label that reach the threshold of the node. */
	byNode: Decided;
	/** Holds the answers with this label that reach the threshold of the option. */
	byOption: Decided;
}

/** Describes what changes if each option has a threshold of its own. */
export interface OptionThresholds {
	/** Holds every option that was answered, in the order in which it first was. */
	options: OptionThreshold[];
	/** Adds up the answers of all options. */
	byNode: Decided;
	byOption: Decided;
	/**
	 * Holds the lower bound of the 95% Wilson interval of the accuracy with the options' thresholds. It is null if nothing is
	 * decided.
	 */
	accuracyLow: number | null;
}

/**
 * Finds the threshold of each option: the lowest at which the answers with this label reach the target accuracy with 95%
 * confidence.
 * @param nodeThreshold the threshold for all options. With null, only options with an own threshold are decided.
 */
export async function measureOptions(
	rows: Row[],
	nodeThreshold: number | null,
	targetAccuracy: number,
	pause: Pause,
): Promise<OptionThresholds> {
	const needed = observationsToShow(targetAccuracy);
	const options: OptionThreshold[] = [];
	const byNode: Decided = { decided: 0, correct: 0 };
	const byOption: Decided = { decided: 0, correct: 0 };
	for (const [label, answers] of await groupByAnswer(rows, pause)) {
		const figures = answers.length < needed ? [] : await measureThresholds(answers, 'choice', pause);
		const threshold = recommendThreshold(figures, targetAccuracy)?.threshold ?? null;
		const option: OptionThreshold = {
			label,
			answers: answers.length,
			threshold,
			byNode: await decide(answers, nodeThreshold, pause),
			byOption: await decide(answers, threshold ?? nodeThreshold, pause),
		};
		add(byNode, option.byNode);
		add(byOption, option.byOption);
		options.push(option);
	}
	const accuracyLow = wilsonInterval(byOption.correct, byOption.decided)?.low ?? null;
	return { options, byNode, byOption, accuracyLow };
}

function add(sum: Decided, { decided, correct }: Decided): void {
	sum.decided += decided;
	sum.correct += correct;
}

async function groupByAnswer(rows: Row[], pause: Pause): Promise<Map<string, Row[]>> {
	const groups = new Map<string, Row[]>();
	for (const row of rows) {
		await pause();
		if (typeof row.answer !== 'string') continue;
		const group = groups.get(row.answer);
		if (group) group.push(row);
		else groups.set(row.answer, [row]);
	}
	return groups;
}

async function decide(answers: Row[], threshold: number | null, pause: Pause): Promise<Decided> {
	const result: Decided = { decided: 0, correct: 0 };
	if (threshold === null) return result;
	for (const { confidence, answer, expected } of answers) {
		await pause();
		if (confidence === null || confidence < threshold) continue;
		result.decided++;
		if (answer === expected) result.correct++;
	}
	return result;
}
