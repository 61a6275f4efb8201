import type { Figures } from '../evaluateRows';
import { barTable } from './drawing';
import { html, type Html } from './html';
import { percent, quoted } from './wording';

/** How many answers are correct, compared with always giving the same answer. */
export function accuracySection({ accuracy, accuracyInterval, baseline, rows, labels }: Figures): Html {
	const { low, high } = accuracyInterval;
	const always = html`Always answering ${quoted(labels[0]!.label)}`;
	const range = html`<span class="muted"
		>(most likely ${percent(low)} to ${percent(high)} on other rows of this kind)</span
	>`;
	const finding = () => {
		if (rows === 1) return html`This row is answered ${accuracy === 1 ? 'correctly' : 'wrongly'}`;
		const correct = html`${percent(accuracy)} of rows are answered correctly. ${always} would give`;
		if (low > baseline) return html`${correct} ${percent(baseline)}`;
		if (high < baseline) return html`${correct} more: ${percent(baseline)}`;
		return html`${correct} ${percent(baseline)}: these rows do not show a clear difference`;
	};
	return html`<section>
		<h2>${finding()}</h2>
		${barTable([
			{ name: html`<b>Correct</b> ${range}`, share: accuracy, figure: percent(accuracy) },
			{ name: always, share: baseline, figure: percent(baseline) },
		])}
	</section>`;
}
