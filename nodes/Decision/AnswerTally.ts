import { count } from '../shared/text/count';
import { increase } from '../../client/increase';
import { levelIndex, YES_AT_LEAST, type Answer } from './answers';
import { hintValue } from './hintValue';
import type { Question } from './questions';

const MOST_QUESTIONS = 12;

const MOST_OPTIONS = 5;

/** What came of one question so far. */
interface QuestionTally {
	type: Question['type'];
	/** The latest answer, undefined for one that cannot be used, and what it answers. */
	latest: { question: Question; answer: Answer | undefined };
	/** How often each label came: yes and no, or the options of a choice. */
	counts: Map<string, number>;
	scores: Mean;
	confidences: Mean;
	unusable: number;
}

/** Counts what the items of an execution were answered, for the hint above the output. */
export class AnswerTally {
	private items = 0;

	private readonly questions = new Map<string, QuestionTally>();

	private readonly outputs = new Map<string, number>();

	private spotChecks = 0;

	/**
	 * @param answers in the order of the questions, undefined for one that cannot be used
	 * @param way the label of the output taken, where there are several, and whether only a spot check led to it
	 */
	add(
		questions: Question[],
		answers: Array<Answer | undefined>,
		{ output, isChecked }: { output: string | undefined; isChecked: boolean },
	): void {
		this.items++;
		if (isChecked) this.spotChecks++;
		if (output !== undefined) increase(this.outputs, output);
		questions.forEach((question, index) => {
			let tally = this.questions.get(question.id);
			if (!tally) this.questions.set(question.id, (tally = emptyTally(question)));
			addAnswer(tally, question, answers[index]);
		});
	}

	/**
	 * As HTML, undefined as long as there are no answers.
	 * @param mayShowData whether it may hold what was asked and answered
	 */
	describe(mayShowData: boolean): string | undefined {
		if (this.items === 0) return undefined;
		const answered = `${count(this.items, 'item')} answered.`;
		if (!mayShowData) return answered;
		const shown = [...this.questions].slice(0, MOST_QUESTIONS);
		const hidden = this.questions.size - shown.length;
		return [
			...(this.items === 1 ? [] : [answered]),
			...shown.map(
				([id, tally]) =>
					`<b>${hintValue(id)}</b>: ${this.items === 1 ? describeAnswer(tally.latest) : describeTally(tally)}`,
			),
			...(hidden > 0 ? [`and ${count(hidden, 'more question')}`] : []),
			...(this.outputs.size === 0 ? [] : [`Outputs: ${listCounts(this.outputs)}`]),
			...(this.spotChecks === 0
				? []
				: [`Clear answers sent to Uncertain as spot checks: ${this.spotChecks}`]),
		].join('<br>');
	}
}

class Mean {
	private sum = 0;

	private size = 0;

	add(value: number): void {
		this.sum += value;
		this.size++;
	}

	/** With two digits, undefined where there is nothing. */
	get text(): string | undefined {
		return this.size === 0 ? undefined : toText(this.sum / this.size);
	}
}

function emptyTally(question: Question): QuestionTally {
	return {
		type: question.type,
		latest: { question, answer: undefined },
		counts: new Map(),
		scores: new Mean(),
		confidences: new Mean(),
		unusable: 0,
	};
}

function addAnswer(tally: QuestionTally, question: Question, answer: Answer | undefined): void {
	tally.latest = { question, answer };
	if (!answer) {
		tally.unusable++;
		return;
	}
	if (answer.type === 'noul') {
		increase(tally.counts, yesOrNo(answer.noul));
		return;
	}
	if (answer.type === 'choice') increase(tally.counts, answer.choice);
	else tally.scores.add(answer.score);
	if (answer.confidence !== null) tally.confidences.add(answer.confidence);
}

function describeAnswer({ question, answer }: QuestionTally['latest']): string {
	if (!answer) return 'unusable';
	if (answer.type === 'noul') return `${yesOrNo(answer.noul)} (${toText(answer.noul)})`;
	const value = answer.type === 'choice' ? answer.choice : question.labels[levelIndex(answer.score)];
	const facts = [
		...(answer.type === 'score' ? [toText(answer.score)] : []),
		...(answer.confidence === null ? [] : [`confidence ${toText(answer.confidence)}`]),
	];
	return `${hintValue(value!)}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

function yesOrNo(noul: number): 'yes' | 'no' {
	return noul >= YES_AT_LEAST ? 'yes' : 'no';
}

function describeTally({ type, counts, scores, confidences, unusable }: QuestionTally): string {
	const parts = [
		type === 'score' ? scores.text && `mean ${scores.text}` : listCounts(counts),
		confidences.text && `mean confidence ${confidences.text}`,
		unusable > 0 ? `${unusable} unusable` : undefined,
	];
	return parts.filter(Boolean).join(', ');
}

function listCounts(counts: Map<string, number>): string {
	const sorted = [...counts].sort(([, a], [, b]) => b - a);
	const listed = sorted.slice(0, MOST_OPTIONS).map(([label, times]) => `${hintValue(label)} ${times}`);
	const more = sorted.length - listed.length;
	return [...listed, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function toText(value: number): string {
	return String(Number(value.toFixed(2)));
}
