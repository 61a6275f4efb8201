import type { Figures } from '../evaluateRows';
import { percent } from '../percent';
import { html, type Html } from './html';
import { toPercent } from './plot';
import { quoted } from './wording';

/** How many answers are correct, compared with always giving the same answer. */
export function accuracySection(figures: Figures): Html {
	const { accuracy, accuracyInterval: interval, baseline } = figures;
	const correct = html`<b>${percent(accuracy)} correct</b>
		<span class="muted"
			>(most likely ${percent(interval.low)} to ${percent(interval.high)} on other rows of this kind)</span
		>`;
	const always = html`${percent(baseline)} by always answering ${quoted(mostFrequent(figures))}`;
	return html`<section>
		<h2>${accuracyFinding(figures)}</h2>
		<div class="scale">
			${scaleLabel(accuracy, correct)}
			<div class="track">
				<div class="fill" style="width:${toPercent(accuracy)}"></div>
				<div
					class="interval"
					style="left:${toPercent(interval.low)};width:${toPercent(interval.high - interval.low)}"
				></div>
				<div class="tick" style="left:${toPercent(baseline)}"></div>
			</div>
			${scaleLabel(baseline, html`<span class="muted">${always}</span>`)}
		</div>
	</section>`;
}

function accuracyFinding(figures: Figures): Html {
	const { accuracy, accuracyInterval: interval, baseline, rows } = figures;
	const label = quoted(mostFrequent(figures));
	if (rows === 1) return html`This row is answered ${accuracy === 1 ? 'correctly' : 'wrongly'}`;
	if (baseline === 1) return html`All rows should be answered with ${label}, and ${percent(accuracy)} are`;
	const correct = html`${percent(accuracy)} of rows are answered correctly`;
	const always = html`Always answering ${label}`;
	if (interval.low > baseline) {
		return html`${correct}. ${always} would give ${percent(baseline)}`;
	}
	if (interval.high < baseline) {
		return html`${correct}. ${always} would give more: ${percent(baseline)}`;
	}
	return html`${correct}. ${always} would give ${percent(baseline)}: these rows do not show a clear difference`;
}

function mostFrequent({ labels }: Figures): string {
	return labels[0]!.label;
}

/**
 * A label begins or ends at its value, so that it stays inside. A long label also uses the room next to it: see
 * `scale-label` in style.ts.
 */
function scaleLabel(share: number, label: Html): Html {
	return share <= 0.5
		? html`<div class="scale-label">
				${room(share)}
				<div>${label}</div>
			</div>`
		: html`<div class="scale-label end">
				<div>${label}</div>
				${room(1 - share)}
			</div>`;
}

function room(share: number): Html {
	return html`<div class="room" style="flex-basis:${toPercent(share)}"></div>`;
}
