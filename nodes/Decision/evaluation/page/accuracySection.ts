import type { Figures } from '../evaluateRows';
import { html, type Html } from './html';
import { toPercent } from './plot';
import { percent, quoted } from './wording';

/** How many answers are right, beside what costs nothing: always the same answer. */
export function accuracySection(figures: Figures): Html {
	const { accuracy, accuracyInterval: interval, baseline } = figures;
	return html`<section>
		<h2>${accuracyFinding(figures)}</h2>
		<div class="scale">
			<div class="scale-label" style="${anchor(accuracy)}">
				<b>${percent(accuracy)} right</b>
				<span class="muted">(95 % interval ${percent(interval.low)} to ${percent(interval.high)})</span>
			</div>
			<div class="track">
				<div class="fill" style="width:${toPercent(accuracy)}"></div>
				<div
					class="interval"
					style="left:${toPercent(interval.low)};width:${toPercent(interval.high - interval.low)}"
				></div>
				<div class="tick" style="left:${toPercent(baseline)}"></div>
			</div>
			<div class="scale-label muted" style="${anchor(baseline)}">
				${percent(baseline)} by always answering ${quoted(mostFrequent(figures))}
			</div>
		</div>
	</section>`;
}

function accuracyFinding(figures: Figures): Html {
	const { accuracy, accuracyInterval: interval, baseline } = figures;
	const always = html`always answering ${quoted(mostFrequent(figures))}`;
	if (interval.low > baseline) {
		return html`${percent(accuracy)} of rows are answered right, against ${percent(baseline)} by ${always}`;
	}
	if (interval.high < baseline) {
		return html`${percent(accuracy)} of rows are answered right, fewer than by ${always}: ${percent(baseline)}`;
	}
	return html`${percent(accuracy)} of rows are answered right, which these rows cannot tell from ${always}:
	${percent(baseline)}`;
}

function mostFrequent({ labels }: Figures): string {
	return labels[0]!.label;
}

/** A label begins where its value lies, or ends there, so that it stays inside. */
function anchor(share: number): string {
	return share <= 0.5
		? `margin-left:${toPercent(share)};text-align:left`
		: `margin-right:${toPercent(1 - share)};text-align:right`;
}
