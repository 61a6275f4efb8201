import { count } from '../shared/text/count';
import type { Execution } from '../shared/run/Execution';
import type { Figures } from './evaluation/evaluateRows';
import { percent } from './evaluation/percent';

/** What an evaluation keeps: its figures, once there are some. */
export interface EvaluationState {
	figures?: Figures;
}

/** What a person should know after an evaluation. */
export function describeEvaluation({ figures }: EvaluationState, execution: Execution): string | undefined {
	if (!figures) return undefined;
	const { rows, skipped, accuracy, baseline, recommended, targetAccuracy } = figures;
	if (!execution.mayShowData) return `${count(rows, 'row')} evaluated.`;
	const found = recommended
		? `From a threshold of <b>${recommended.threshold}</b>, ${percent(recommended.coverage)} are decided, and ${percent(recommended.accuracy ?? 0)} of them are right.`
		: `${rows === 1 ? 'This row' : 'These rows'} cannot show a threshold at which ${percent(targetAccuracy)} are right.`;
	const left = skipped === 0 ? '' : ` ${count(skipped, 'item')} without an expected value left out.`;
	return `${count(rows, 'row')} evaluated: ${percent(accuracy)} right; always the most frequent label: ${percent(baseline)}.${left}<br>${found}`;
}
