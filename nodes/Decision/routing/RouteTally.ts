import { increase } from '../../shared/text/increase';
import { countOf, grouped } from '../../shared/text/wording';
import type { Answer } from '../answers/Answer';
import { listCounts, rounded } from '../answers/AnswerTally';
import { UNCERTAIN, type Nearness, type Route, type Routing } from './routing';

/** With fewer items, it may be chance that most of them are uncertain. */
const MIN_FOR_ADVICE = 10;

/** Counts by which outputs the items of a run left, for the hint above the output. */
export class RouteTally {
	private readonly outputs = new Map<string, number>();

	private spotChecks = 0;

	/** Answered items that are no spot checks. */
	private answered = 0;

	/** Of these, those whose answer was not clear. */
	private uncertain = 0;

	/** Of these, the one that came closest to a threshold. */
	private nearest: Nearness | undefined;

	private latest: Routing | undefined;

	/** @param answers in the order of the questions, undefined for one that cannot be used */
	add(answers: Array<Answer | undefined>, { label }: Route, routing: Routing): void {
		increase(this.outputs, label);
		this.answered++;
		this.latest = routing;
		if (label !== UNCERTAIN.label) return;
		this.uncertain++;
		const nearness = routing.nearness(answers);
		if (nearness && nearness.distance < (this.nearest?.distance ?? Infinity)) this.nearest = nearness;
	}

	addSpotCheck(): void {
		increase(this.outputs, UNCERTAIN.label);
		this.spotChecks++;
	}

	/** Counts an item with nothing to send. */
	addEmpty(): void {
		increase(this.outputs, UNCERTAIN.label);
	}

	/** Lines of HTML; none if nothing was routed. */
	describe(): string[] {
		if (this.outputs.size === 0) return [];
		const lines = [`Outputs: ${listCounts(this.outputs)}`];
		const isMost = this.answered >= MIN_FOR_ADVICE && this.uncertain > this.answered / 2;
		if (this.latest?.hasDoubt && (this.uncertain === this.answered || isMost)) {
			const verb = this.uncertain === 1 ? 'was' : 'were';
			const { best, advice } = this.latest;
			const count = `${grouped(this.uncertain)} of ${countOf(this.answered, 'answer')} ${verb} uncertain.`;
			const nearest = this.nearest
				? `${best} ${rounded(this.nearest.value)}.`
				: 'None of them could be compared with a threshold.';
			lines.push(`${count} ${nearest} ${advice}`);
		}
		if (this.spotChecks > 0) {
			lines.push(`Clear answers sent to Uncertain as spot checks: ${grouped(this.spotChecks)}`);
		}
		return lines;
	}
}
