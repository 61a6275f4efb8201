import { increase } from '../../shared/values/increase';
import { countOf, formatNumber, hintValue } from '../../shared/text/wording';
import { listFirst } from '../../shared/text/lists';
import type { Question } from '../questions/Question';
import type { Answer } from './Answer';
import { present } from '../../shared/values/present';

/** Of fewer items, all may have the same answer by chance. */
const MIN_EQUAL_ANSWERS = 20;

/** A certain answer is rounded to the same numbers in many items. Within this distance of its end, a scale says nothing. */
const CERTAIN_MARGIN = 0.1;

const NO_LABEL = '(none of them)';

/** Counts the answers of a run, for the hint above the output. */
export class AnswerTally {
	private answeredItems = 0;

	private readonly questions = new Map<string, QuestionTally>();

	get items(): number {
		return this.answeredItems;
	}

	/**
	 * Counts the answers about one item.
	 * @param answers the answers in the order of the questions, each undefined if it cannot be used
	 */
	add(questions: Question[], answers: Array<Answer | undefined>): void {
		this.answeredItems++;
		questions.forEach((question, index) => {
			const tally = this.questions.get(question.id) ?? new QuestionTally(question);
			this.questions.set(question.id, tally);
			tally.add(answers[index]);
		});
	}

	/**
	 * Returns a line of HTML for each question: its answer if there is one item, or else its counts.
	 * @param areItemsEqual whether all items sent the same, so that equal answers are no surprise
	 */
	describe(areItemsEqual: boolean): string[] {
		const described = listFirst(
			this.questions,
			'question',
			([id, tally]) =>
				`<b>${hintValue(id)}</b>: ${this.answeredItems === 1 ? tally.describeLatest() : tally.describe()}`,
			(others) => `and ${countOf(others, 'more question')}`,
		);
		return present([
			...described,
			...[...this.questions.values()].flatMap((tally) => [
				tally.describeContradictions(),
				!areItemsEqual && tally.describeEqualAnswers(),
			]),
		]);
	}
}

class QuestionTally {
	private latest: Answer | undefined;

	private readonly labels = new Map<string, number>();

	private usableAnswers = 0;

	/** Counts the answers that none of the options applies. */
	private answersWithoutLabel = 0;

	private unusableAnswers = 0;

	/** Holds the first answer, and its JSON, while all others are equal to it. */
	private onlyAnswer: { answer: Answer; json: string } | undefined;

	/** Counts the answers that an option applies, and also the one for none. */
	private contradictoryAnswers = 0;

	private sumOfNumbers = 0;

	private answersWithConfidence = 0;

	private sumOfConfidences = 0;

	constructor(private readonly question: Question) {}

	add(answer: Answer | undefined): void {
		this.latest = answer;
		if (!answer) {
			this.unusableAnswers++;
			return;
		}
		const { labels, number, confidence } = answer;
		this.usableAnswers++;
		if (this.usableAnswers === 1) this.onlyAnswer = { answer, json: JSON.stringify(answer) };
		else if (this.onlyAnswer && this.onlyAnswer.json !== JSON.stringify(answer)) this.onlyAnswer = undefined;
		for (const label of labels) increase(this.labels, label);
		if (labels.length === 0) this.answersWithoutLabel++;
		const { optionForNone } = this.question;
		if (optionForNone !== undefined && labels.length > 1 && labels.includes(optionForNone)) {
			this.contradictoryAnswers++;
		}
		this.sumOfNumbers += number ?? 0;
		if (confidence === null) return;
		this.answersWithConfidence++;
		this.sumOfConfidences += confidence;
	}

	describeLatest(): string {
		if (!this.latest) return 'unusable';
		const { labels, number, confidence } = this.latest;
		const { options, scale } = this.question;
		// Beside a "no", the probability of a yes would read as how sure the no is.
		const isNo = !options && !scale && labels[0] === 'no';
		const meaning = isNo ? ' for yes' : scale ? ` on a scale ${scale}` : '';
		const facts = present([
			number !== null && rounded(number) + meaning,
			confidence !== null && `confidence ${rounded(confidence)}`,
		]);
		const listed = listLabels(labels, hintValue) || NO_LABEL;
		return `${listed}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
	}

	/** A model that does not get what was sent, or does not work, answers each item with the same numbers. */
	describeEqualAnswers(): string | undefined {
		if (this.onlyAnswer === undefined || this.usableAnswers < MIN_EQUAL_ANSWERS) return undefined;
		const { number, confidence, probabilities } = this.onlyAnswer.answer;
		const numbers = [number, confidence, ...Object.values(probabilities ?? {})];
		const isTelling = (value: unknown) =>
			typeof value === 'number' && value > CERTAIN_MARGIN && value < 1 - CERTAIN_MARGIN;
		if (confidence !== 0 && !numbers.some(isTelling)) return undefined;
		return `All ${formatNumber(this.usableAnswers)} answers to "${hintValue(this.question.id)}" have exactly the same numbers, although the items differ: check what is sent, and the option 'Model'.`;
	}

	/** Each tag is asked for on its own, so that the model does not know what it says of the others. */
	describeContradictions(): string | undefined {
		if (this.contradictoryAnswers === 0) return undefined;
		const name = hintValue(this.question.optionForNone!);
		return `"${name}" stands beside other tags in ${countOf(this.contradictoryAnswers, 'item')}, because each tag is asked for on its own. Delete this option: without it, the list is empty if no tag applies.`;
	}

	describe(): string {
		const { scale } = this.question;
		const parts: string[] = [];
		if (scale && this.usableAnswers > 0) {
			parts.push(`mean ${rounded(this.sumOfNumbers / this.usableAnswers)} (${scale})`);
		}
		if (this.labels.size > 0) parts.push(listCounts(this.labels));
		if (this.answersWithoutLabel > 0) parts.push(`${NO_LABEL} ${formatNumber(this.answersWithoutLabel)}`);
		if (this.answersWithConfidence > 0) {
			parts.push(`mean confidence ${rounded(this.sumOfConfidences / this.answersWithConfidence)}`);
		}
		if (this.unusableAnswers > 0) parts.push(`${formatNumber(this.unusableAnswers)} unusable`);
		return parts.join(', ');
	}
}

/** Lists the most frequent labels with their counts, as HTML. */
export function listCounts(counts: ReadonlyMap<string, number>): string {
	const sorted = [...counts].sort(([, a], [, b]) => b - a);
	return listLabels(sorted, ([label, times]) => `${hintValue(label)} ${formatNumber(times)}`);
}

function listLabels<Label>(labels: Label[], describe: (label: Label) => string): string {
	return listFirst(labels, 'label', describe, (others) => `${formatNumber(others)} more`).join(', ');
}

/** Writes a number with two decimals at most. What is not quite certain does not become 1, as it would read as certain. */
export function rounded(value: number): string {
	const text = String(Number(value.toFixed(2)));
	return text === '1' && value < 1 ? 'over 0.99' : text;
}
