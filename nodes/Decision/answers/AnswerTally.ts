import { countOf } from '../../shared/text/countOf';
import { increase } from '../../../client/increase';
import { levelIndex, YES_AT_LEAST, type Answer } from './answers';
import { hintValue } from '../../shared/text/hintValue';
import { grouped } from '../../shared/text/grouped';
import type { Question } from '../questions/questions';
import { UNCERTAIN, type Routing } from '../routing/routing';

const MOST_QUESTIONS = 12;

const MOST_OPTIONS = 5;

/** With fewer items, a mean is enough. */
const LEAST_ITEMS_FOR_BANDS = 10;

/** Lower ends of the bands of confidence, the highest first. */
const BANDS = [0.9, 0.7, 0.5, -Infinity];

/** The answers to one question so far. */
interface QuestionTally {
	type: Question['type'];
	/** The latest answer, undefined for one that cannot be used, and what it answers. */
	latest: { question: Question; answer: Answer | undefined };
	/** How often each label was the answer: yes and no, the options of a choice, or the levels of a score. */
	counts: Map<string, number>;
	scores: Mean;
	confidences: Mean;
	/** How many confidences lie in each of `BANDS`. */
	bands: number[];
	unusable: number;
}

/** Counts the answers of an execution, for the hint above the output. */
export class AnswerTally {
	private items = 0;

	private readonly questions = new Map<string, QuestionTally>();

	private readonly outputs = new Map<string, number>();

	private spotChecks = 0;

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
		const wouldBe = routing?.suggestion?.routeBy(answers);
		if (wouldBe === UNCERTAIN && output !== UNCERTAIN.label) this.doubtful++;
		questions.forEach((question, index) => {
			let tally = this.questions.get(question.id);
			if (!tally) this.questions.set(question.id, (tally = emptyTally(question)));
			addAnswer(tally, question, answers[index]);
		});
	}

	/**
	 * Describes the answers as HTML; undefined if there are none yet.
	 * @param mayShowData whether it may contain questions and answers
	 */
	describe(mayShowData: boolean): string | undefined {
		if (this.items === 0) return undefined;
		const answered = `${countOf(this.items, 'item')} answered.`;
		if (!mayShowData) return answered;
		const shown = [...this.questions].slice(0, MOST_QUESTIONS);
		const hidden = this.questions.size - shown.length;
		return [
			...(this.items === 1 ? [] : [answered]),
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
		const { unclear, suggestion } = this.routing ?? {};
		const uncertain = (this.outputs.get(UNCERTAIN.label) ?? 0) - this.spotChecks;
		return [
			`Outputs: ${listCounts(this.outputs)}`,
			...(uncertain > 0 && unclear !== undefined ? [`Uncertain means ${unclear}`] : []),
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
}

class Mean {
	private sum = 0;

	private size = 0;

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
		bands: BANDS.map(() => 0),
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
	const band = BANDS.findIndex((lowest) => confidence >= lowest);
	tally.bands[band] = tally.bands[band]! + 1;
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
	bands,
	unusable,
}: QuestionTally): string {
	const scale = `(from 0 to ${latest.question.labels.length - 1})`;
	const parts = [
		type === 'score' && scores.text !== undefined && `mean ${scores.text} ${scale}`,
		counts.size > 0 && listCounts(counts),
		confidences.text !== undefined && `mean confidence ${confidences.text}${describeBands(bands)}`,
		unusable > 0 && `${grouped(unusable)} unusable`,
	];
	return parts.filter(Boolean).join(', ');
}

function describeBands(bands: number[]): string {
	if (bands.reduce((sum, times) => sum + times) < LEAST_ITEMS_FOR_BANDS) return '';
	const [high, middle, low, lowest] = bands.map(grouped);
	return ` (0.9 or more: ${high}, 0.7 to 0.9: ${middle}, 0.5 to 0.7: ${low}, below 0.5: ${lowest})`;
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
