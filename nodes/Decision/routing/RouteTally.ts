import { increase } from '../../shared/values/increase';
import { present } from '../../shared/values/present';
import { countOf, formatNumber } from '../../shared/text/wording';
import type { Answer } from '../answers/Answer';
import { listCounts, rounded } from '../answers/AnswerTally';
import type { NearMiss } from './AnswerRule';
import { UNCERTAIN, type Route, type Routing } from './routing';

/** With fewer answers than this, it may be chance that most of them are uncertain. */
const MIN_ANSWERS_FOR_ADVICE = 10;

const UNUSABLE_ADVICE =
	"the service gave options that were not offered, or impossible numbers. Thresholds do not change this. Try again, or check the option 'Model'.";

/** With fewer items at None, the hint says nothing about it. */
const MIN_ITEMS_WITHOUT_LABEL = 2;

const NONE_ADVICE =
	"Describe the options with words from your texts, or lower 'Yes at or Above' and 'No Below'.";

const NO_CONFIDENCE_ADVICE = "Set 'Minimum Confidence' to 0, or choose a model that gives one.";

/** Counts the items of a run at each output, for the hint above the output. */
export class RouteTally {
	/** Counts the items at each output, by its label. */
	private readonly outputs = new Map<string, number>();

	private spotChecks = 0;

	/** Holds the lowest percentage of spot checks that is not 0. */
	private leastPercent = Infinity;

	/** Counts the answered items that were not spot checks. */
	private answeredItems = 0;

	/** Counts the answered items whose answer was not clear. */
	private uncertainItems = 0;

	/** Counts the uncertain answers with an impossible value. */
	private unusableAnswers = 0;

	/** Counts the answers whose confidence is above 1. */
	private answersBeyondScale = 0;

	private itemsAtNone = 0;

	/** Holds the highest probability in the answers about the items that left by None. */
	private highestOfNone = 0;

	/** Holds the uncertain answer that came closest to a threshold. */
	private nearest: NearMiss | undefined;

	private latestRouting: Routing | undefined;

	/**
	 * Counts an item that was answered, by the outputs that it takes.
	 * @param answers the answers in the order of the questions, each undefined if it cannot be used
	 */
	add(answers: Array<Answer | undefined>, routes: Route[], routing: Routing): void {
		for (const { label } of routes) increase(this.outputs, label);
		this.answeredItems++;
		this.latestRouting = routing;
		if (routing.isBeyondScale(answers)) this.answersBeyondScale++;
		if (routing.isNone(routes)) {
			this.itemsAtNone++;
			this.highestOfNone = Math.max(this.highestOfNone, routing.nearMiss(answers)?.value ?? 0);
		}
		if (!routes.includes(UNCERTAIN)) return;
		this.uncertainItems++;
		if (answers.includes(undefined)) {
			this.unusableAnswers++;
			return;
		}
		const nearMiss = routing.nearMiss(answers);
		if (nearMiss && nearMiss.distance < (this.nearest?.distance ?? Infinity)) this.nearest = nearMiss;
	}

	/**
	 * Remembers the lowest percentage of spot checks above 0, which an expression may change from item to item.
	 * @param percent the percentage of spot checks for one item
	 */
	noteSpotCheck(percent: number): void {
		if (percent > 0) this.leastPercent = Math.min(this.leastPercent, percent);
	}

	addSpotCheck(): void {
		increase(this.outputs, UNCERTAIN.label);
		this.spotChecks++;
	}

	/** Counts an item with nothing to send. */
	addEmpty(): void {
		increase(this.outputs, UNCERTAIN.label);
	}

	/** Returns lines of HTML, or none if nothing was routed. */
	describe(): string[] {
		if (this.outputs.size === 0) return [];
		const lines = [`Outputs: ${listCounts(this.outputs)}`];
		const isAll = this.answeredItems > 0 && this.uncertainItems === this.answeredItems;
		const isMost =
			this.answeredItems >= MIN_ANSWERS_FOR_ADVICE && this.uncertainItems > this.answeredItems / 2;
		if (isAll || isMost) lines.push(...this.advise());
		// One item to which nothing applies is ordinary. Several without an exception may be a matter of the thresholds.
		if (
			this.itemsAtNone >= MIN_ITEMS_WITHOUT_LABEL &&
			this.itemsAtNone + this.uncertainItems === this.answeredItems
		) {
			lines.push(
				`No item went to the output of an option. The highest probability at None was ${rounded(this.highestOfNone)}. ${NONE_ADVICE}`,
			);
		}
		lines.push(...(this.latestRouting?.idleThresholds ?? []));
		if (this.answersBeyondScale > 0) {
			const verb = this.answersBeyondScale === 1 ? 'has' : 'have';
			lines.push(
				`${countOf(this.answersBeyondScale, 'answer')} ${verb} a confidence above 1, which passes every threshold: check the option 'Model', because the model may count in percent.`,
			);
		}
		if (this.spotChecks > 0) {
			lines.push(`Clear answers sent to Uncertain as spot checks: ${formatNumber(this.spotChecks)}`);
		}
		// Somebody who writes 0.5 may mean half of the answers.
		if (this.leastPercent < 1) {
			const oneIn = formatNumber(Math.round(100 / this.leastPercent));
			const meant = rounded(this.leastPercent * 100);
			lines.push(
				`Spot Check is ${this.leastPercent} percent, which is about one in ${oneIn} clear answers. For ${meant} percent, write ${meant}.`,
			);
		}
		return lines;
	}

	/** Returns lines about the uncertain answers, or none if neither an answer nor a threshold can be the reason. */
	private advise(): string[] {
		const { answeredItems, latestRouting, nearest, uncertainItems, unusableAnswers } = this;
		const were = (count: number) =>
			`${formatNumber(count)} of ${countOf(answeredItems, 'answer')} ${count === 1 ? 'was' : 'were'}`;
		if (nearest && latestRouting?.canBeUncertain) {
			const { nearestText, advice } = latestRouting;
			return [`${were(uncertainItems)} uncertain. ${nearestText} ${describeNearest(nearest)}. ${advice}`];
		}
		const unsure = uncertainItems - unusableAnswers;
		const them = unsure === 1 ? 'it' : 'them';
		return present([
			unusableAnswers > 0 && `${were(unusableAnswers)} unusable: ${UNUSABLE_ADVICE}`,
			unsure > 0 &&
				latestRouting?.canBeUncertain === true &&
				`${were(unsure)} uncertain: the service gave no confidence for ${them}. ${NO_CONFIDENCE_ADVICE}`,
		]);
	}
}

/** Writes a value with so many decimals that it does not look like the threshold that it missed. */
function describeNearest({ value, distance }: NearMiss): string {
	return distance < 0.01 ? String(Number(value.toFixed(4))) : rounded(value);
}
