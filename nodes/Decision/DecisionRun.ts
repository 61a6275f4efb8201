import type { RunContext } from '../shared/context/RunContext';
import { listFirst } from '../shared/text/lists';
import { countOf, hintValue } from '../shared/text/wording';
import { present } from '../shared/values/present';
import { AnswerTally } from './answers/AnswerTally';
import { SentOptions } from './answers/SentOptions';
import { RouteTally } from './routing/RouteTally';
import { SentStates } from './state/SentStates';

/** Represents the state that all decisions of one run share. */
export class DecisionRun {
	readonly answers = new AnswerTally();

	readonly routes = new RouteTally();

	readonly sentOptions = new SentOptions();

	readonly states = new SentStates();

	/** Counts the items that had nothing to send. */
	private emptyItems = 0;

	/** Counts an item that has nothing to send, and goes to the output Uncertain. */
	addEmpty(): void {
		this.emptyItems++;
		this.routes.addEmpty();
	}

	/** Returns the decisions' part of the hint above the output, as HTML, or undefined if there is nothing to say. */
	describe(run: RunContext): string | undefined {
		const { items, mayShowData, sentTexts } = run;
		const { answers, emptyItems, routes, sentOptions, states } = this;
		const isOnlyOne = answers.items === 1 && mayShowData;
		const lines: Array<string | false | undefined> = [
			answers.items > 0 && !isOnlyOne && `${countOf(answers.items, 'item')} answered.`,
			emptyItems > 0 && `${countOf(emptyItems, 'item')} had nothing to send.`,
		];
		if (mayShowData) {
			lines.push(
				...answers.describe(sentTexts.areEqual(items.length)),
				...routes.describe(),
				...listFirst(
					sentOptions.find(),
					'finding',
					({ id, field }) =>
						`The model saw the field "${hintValue(field)}", whose values are possible answers to "${hintValue(id)}". If they are the expected answers, an evaluation is worthless: name only the other fields in 'Fields to Send'.`,
				),
				...states.describe(run, answers.items),
			);
		}
		return present(lines).join('<br>') || undefined;
	}
}
