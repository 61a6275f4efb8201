import { countOf, grouped, hintValue } from '../../shared/text/wording';
import { increase } from '../../../client/increase';
import { levelIndex, YES_AT_LEAST, type Answer } from './answers';
import type { Question } from '../questions/questions';
import { UNCERTAIN, type Doubt, type Nearness, type Routing } from '../routing/routing';

const MOST_QUESTIONS = 12;

const MOST_OPTIONS = 5;

/** With fewer items, some of which are clear, most of them being uncertain may be chance. */
const LEAST_ITEMS_FOR_ADVICE = 10;

/** With fewer items, a mean is enough. */
const LEAST_ITEMS_FOR_MARKS = 10;

/** Confidences below these are counted, the lowest first. */
const MARKS = [0.5, 0.7, 0.9];

interface QuestionTally {
	type: Question['type'];
	/** The latest answer, undefined for one that cannot be used, and what it answers. */
	latest: { question: Question; answer: Answer | undefined };
	/** How often each label was the answer: yes and no, the options of a choice, or the levels of a score. */
	counts: Map<string, number>;
	scores: Mean;
	confidences: Mean;
	/** How many confidences are below each of `MARKS`. */
	below: number[];
	unusable: number;
}

/** Counts the answers of an execution, for the hint above the output. */
export class AnswerTally {
	private items = 0;

	private readonly questions = new Map<string, QuestionTally>();

	private readonly outputs = new Map<string, number>();

	private spotChecks = 0;

	/** Items with nothing to judge. */
	private empty = 0;

	/** Items whose answer was not clear. */
	private uncertain = 0;

	/** Of these, the one that came closest to a threshold. */
	private nearest: Nearness | undefined;

	private routing: Routing | undefined;

	/** Items that the suggested thresholds would have made uncertain. */
	private doubtful = 0;

	/**
	 * @param answers in the order of the questions, undefined for one that cannot be used
	 * @param way if there are several outputs: the label of the one taken, whether only a spot check led to it, and the
	 * rules
	 */
	add(
		questions: Question[],
		answers: Array<Answer | undefined>,
		{ output, isChecked, routing }: { output?: string; isChecked: boolean; routing?: Routing },
	): void {
		this.items++;
		this.routing = routing;
		if (isChecked) this.spotChecks++;
		if (output !== undefined) increase(this.outputs, output);
		if (output === UNCERTAIN.label && !isChecked) this.addUncertain(routing?.doubt?.nearness(answers));
		const wouldBe = routing?.suggestion?.routeBy(answers);
		if (wouldBe === UNCERTAIN && output !== UNCERTAIN.label) this.doubtful++;
		questions.forEach((question, index) => {
			let tally = this.questions.get(question.id);
			if (!tally) this.questions.set(question.id, (tally = emptyTally(question)));
			addAnswer(tally, question, answers[index]);
		});
	}

	addEmpty(): void {
		this.empty++;
		increase(this.outputs, UNCERTAIN.label);
	}

	private addUncertain(nearness: Nearness | undefined): void {
		this.uncertain++;
		if (nearness && nearness.distance < (this.nearest?.distance ?? Infinity)) this.nearest = nearness;
	}

	/**
	 * Describes the answers as HTML; undefined if there are none yet.
	 * @param mayShowData whether it may contain questions and answers
	 */
	describe(mayShowData: boolean): string | undefined {
		const empty = this.empty === 0 ? [] : [`${countOf(this.empty, 'item')} had nothing to send.`];
		if (this.items === 0) return empty[0];
		const answered = [`${countOf(this.items, 'item')} answered.`, ...empty];
		if (!mayShowData) return answered.join('<br>');
		const shown = [...this.questions].slice(0, MOST_QUESTIONS);
		const hidden = this.questions.size - shown.length;
		return [
			...(this.items === 1 ? empty : answered),
			...shown.map(
				([id, tally]) =>
					`<b>${hintValue(id)}</b>: ${this.items === 1 ? describeAnswer(tally.latest) : describeTally(tally)}`,
			),
			...(hidden > 0 ? [`and ${countOf(hidden, 'more question')}`] : []),
			...this.describeOutputs(),
		].join('<br>');
	}

	private describeOutputs(): string[] {
		if (this.outputs.size === 0) return [];
		const { doubt, suggestion } = this.routing ?? {};
		return [
			`Outputs: ${listCounts(this.outputs)}`,
			...(this.uncertain > 0 && doubt ? [`Uncertain means ${doubt.means}`] : []),
			...(doubt ? this.describeDoubt(doubt) : []),
			...(this.spotChecks === 0
				? []
				: [`Clear answers sent to Uncertain as spot checks: ${grouped(this.spotChecks)}`]),
			...(suggestion && this.doubtful > 0
				? [
						`No threshold is set. With ${suggestion.thresholds}, ${grouped(this.doubtful)} of ${countOf(this.items, 'item')} would have gone to Uncertain.`,
					]
				: []),
		];
	}

	/** What to do where all answers are uncertain, or most of many. */
	private describeDoubt({ best, advice }: Doubt): string[] {
		const answered = this.items - this.spotChecks;
		const isMost = answered >= LEAST_ITEMS_FOR_ADVICE && this.uncertain > answered / 2;
		if (this.uncertain === 0 || (this.uncertain < answered && !isMost)) return [];
		const verb = this.uncertain === 1 ? 'was' : 'were';
		const nearest = this.nearest
			? `${best} ${toText(this.nearest.value)}.`
			: 'None of them could be compared with a threshold.';
		return [
			`${grouped(this.uncertain)} of ${countOf(answered, 'answer')} ${verb} uncertain. ${nearest} ${advice}`,
		];
	}
}

class Mean {
	private sum = 0;

	size = 0;

	add(value: number): void {
		this.sum += value;
		this.size++;
	}

	/** The mean with two decimals; undefined if there are no numbers. */
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
		below: MARKS.map(() => 0),
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
	const { confidence } = answer;
	if (answer.type === 'choice') increase(tally.counts, answer.choice);
	else {
		tally.scores.add(answer.score);
		increase(tally.counts, question.labels[levelIndex(answer.score)]!);
	}
	if (confidence === null) return;
	tally.confidences.add(confidence);
	tally.below = tally.below.map((count, index) => count + (confidence < MARKS[index]! ? 1 : 0));
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

function describeTally({
	type,
	latest,
	counts,
	scores,
	confidences,
	below,
	unusable,
}: QuestionTally): string {
	const scale = `(from 0 to ${latest.question.labels.length - 1})`;
	const parts = [
		type === 'score' && scores.text !== undefined && `mean ${scores.text} ${scale}`,
		counts.size > 0 && listCounts(counts),
		confidences.text !== undefined &&
			`mean confidence ${confidences.text}${describeBelow(below, confidences.size)}`,
		unusable > 0 && `${grouped(unusable)} unusable`,
	];
	return parts.filter(Boolean).join(', ');
}

/** Such as " (13 of 30 below 0.5, 20 below 0.7)". */
function describeBelow(below: number[], total: number): string {
	if (total < LEAST_ITEMS_FOR_MARKS) return '';
	const parts = below.flatMap((count, index) =>
		count === 0 || count === below[index - 1] ? [] : [{ count: grouped(count), mark: MARKS[index]! }],
	);
	const listed = parts.map(
		({ count, mark }, index) => `${count}${index === 0 ? ` of ${grouped(total)}` : ''} below ${mark}`,
	);
	return listed.length === 0 ? ` (none below ${MARKS.at(-1)!})` : ` (${listed.join(', ')})`;
}

function listCounts(counts: Map<string, number>): string {
	const sorted = [...counts].sort(([, a], [, b]) => b - a);
	const listed = sorted
		.slice(0, MOST_OPTIONS)
		.map(([label, times]) => `${hintValue(label)} ${grouped(times)}`);
	const more = sorted.length - listed.length;
	return [...listed, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function toText(value: number): string {
	return String(Number(value.toFixed(2)));
}
