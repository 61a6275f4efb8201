import { countOf } from '../../../shared/text/wording';
import type { Figures } from '../evaluateRows';
import type { Decided, OptionThresholds } from '../optionThresholds';
import { barTable, figureTable } from './drawing';
import { highest } from './highest';
import { html, isolateDirection, percent, precisePercent, type Html } from './html';

/** More options than this make the page too long. */
const MAX_DRAWN_OPTIONS = 50;

const MAX_OPTION_CHARS = 40;

/** Shows the threshold of the node beside those of the options, and how many rows each way decides. */
export function optionSection(figures: Figures): Html | undefined {
	const { options: all, recommended, rows, targetAccuracy } = figures;
	const finding = optionFinding(figures);
	if (!all || !finding) return undefined;
	const drawn = highest(all.options, MAX_DRAWN_OPTIONS, ({ answers }) => answers);
	const left = all.options.length - drawn.length;
	const others = recommended
		? html`The others use the threshold of the node, ${recommended.threshold.toFixed(2)}.`
		: html`The others go to a person: set the node's 'Minimum Confidence' to 1.`;
	const nodeName = recommended
		? html`One threshold for all: ${recommended.threshold.toFixed(2)}`
		: html`One threshold for all: these rows cannot show one`;
	const bar = (name: Html, { decided, correct }: Decided) => ({
		name,
		share: decided / rows,
		figure:
			decided === 0
				? html`0%`
				: html`${percent(decided / rows)}, ${percent(correct / decided)} of them correct`,
	});
	return html`<section>
		<h2>${finding}</h2>
		${barTable([bar(nodeName, all.byNode), bar(html`<b>A threshold for each option</b>`, all.byOption)])}
		<p class="muted">
			An option has its own threshold where these rows show that its answers reach ${percent(targetAccuracy)}.
			${others}${shownAccuracy(all)} Check them on other rows: the more thresholds there are, the more they
			fit only these rows.${left > 0 ? ` Left out: ${countOf(left, 'option')} with the fewest answers.` : ''}
		</p>
		${figureTable(
			['Option', 'Threshold', 'Decided with one for all', 'With its own'],
			drawn.map(({ label, answers, threshold, byNode, byOption }) => ({
				name: isolateDirection(label, MAX_OPTION_CHARS),
				value: threshold === null ? '–' : threshold.toFixed(2),
				share: byOption.decided / answers,
				figures: [shareText(byNode, answers), shareText(byOption, answers)],
			})),
		)}
	</section>`;
}

/**
 * Returns what a threshold for each option changes, as a sentence without the final full stop. Returns undefined if it changes
 * nothing.
 */
export function optionFinding(figures: Figures): Html | undefined {
	const { options, recommended, rows } = figures;
	const nodeThreshold = recommended?.threshold ?? null;
	if (!options?.options.some(({ threshold }) => threshold !== null && threshold !== nodeThreshold)) {
		return undefined;
	}
	const { byNode, byOption } = options;
	if (!decidesMore(figures)) {
		const more = byOption.decided > byNode.decided ? 'hardly more' : 'no more';
		return html`A threshold for each option decides ${more} rows than one for all`;
	}
	const before = recommended ? html` instead of ${percent(byNode.decided / rows)}` : undefined;
	return html`With a threshold for each option, ${percent(byOption.decided / rows)} of rows are
	decided${before}, ${percent(byOption.correct / byOption.decided)} of them correctly`;
}

/** Returns whether a threshold for each option decides so many more rows than one for all that their percentages differ. */
export function decidesMore({ options, rows }: Pick<Figures, 'options' | 'rows'>): boolean {
	if (options === null) return false;
	const { byNode, byOption } = options;
	return (
		byOption.decided > byNode.decided && percent(byOption.decided / rows) !== percent(byNode.decided / rows)
	);
}

function shownAccuracy({ accuracyLow }: OptionThresholds): Html | undefined {
	return accuracyLow === null
		? undefined
		: html` With 95% confidence, at least ${precisePercent(accuracyLow)} of all rows decided this way are
			correct.`;
}

function shareText({ decided }: Decided, answers: number): string {
	return percent(decided / answers);
}
