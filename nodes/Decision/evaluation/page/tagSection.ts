import { countOf, formatNumber } from '../../../shared/text/wording';
import type { LabelFigures } from '../confusion';
import type { Figures } from '../evaluateRows';
import { figureTable } from './drawing';
import { highest } from './highest';
import { html, isolateDirection, percentOrNone, quoted, type Html } from './html';

/** More tags than this make the page too long. */
const MAX_DRAWN_TAGS = 50;

const MAX_TAG_CHARS = 40;

/** Says in sentences which tag is most often missing, and which is most often given wrongly. */
export function describeTagMistakes({ labels }: Figures): Html {
	const most = (problem: string, countOfTag: (tag: LabelFigures) => number) =>
		highest(labels, 1, countOfTag)
			.filter((tag) => countOfTag(tag) > 0)
			.map(
				(tag) => html`${quoted(tag.label)} is most often ${problem}: ${countOf(countOfTag(tag), 'time')}. `,
			);
	return html`${most('missing', ({ missing }) => missing)}${most('given wrongly', ({ tooMany }) => tooMany)}`;
}

/** Shows for each tag how often it is found, and how often it is right, with a bar. */
export function tagSection(figures: Figures): Html {
	const { labels } = figures;
	const drawn = highest(labels, MAX_DRAWN_TAGS, ({ support }) => support);
	const left = labels.length - drawn.length;
	return html`<section>
		<h2>How well each tag is found</h2>
		<p>${describeTagMistakes(figures)}</p>
		<p class="muted">
			Found, with its bar: of the rows that expect the tag, the share that have it. Right: of the rows that
			have the tag, the share that expect
			it.${left > 0 ? ` Left out: ${countOf(left, 'tag')} with the fewest rows.` : ''}
		</p>
		${figureTable(
			['Tag', 'Rows', 'Found', 'Right'],
			drawn.map(({ label, support, recall, precision }) => ({
				name: isolateDirection(label, MAX_TAG_CHARS),
				value: formatNumber(support),
				share: recall ?? 0,
				figures: [percentOrNone(recall), percentOrNone(precision)],
			})),
		)}
	</section>`;
}
