import { shorten } from '../../../../client/shorten';
import { html, type Html } from './html';

const LABEL_LENGTH = 60;

/** Characters that turn the direction of writing, and make a text look like another. */
const DIRECTION_MARKS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

const AFTER_SEPARATOR = /(?<=[_/.-])(?=[^\s_/.-])/;

export function decimal(value: number): string {
	return value.toFixed(2);
}

/** A share as a whole percentage, but 0% and 100% only if it is exactly that. */
export function percent(share: number): string {
	const whole = Math.round(share * 100);
	const looksExact = (whole === 0 && share > 0) || (whole === 100 && share < 1);
	return looksExact ? precisePercent(share) : `${whole}%`;
}

/** A share as a percentage with one decimal, never rounded up to a bound that it does not reach. */
export function precisePercent(share: number): string {
	const tenths = share > 0 ? Math.max(1, Math.floor(share * 1000 + 1e-9)) : 0;
	return `${(tenths / 10).toFixed(1)}%`;
}

/**
 * A label in running text. Isolated, so that a label written from right to left does not change the direction of the text
 * around it.
 */
export function quoted(label: string | null): Html {
	return label === null ? html`<i>no answer</i>` : html`“${isolated(label)}”`;
}

/** A label or another text of the input: shortened, in its own direction of writing, and breakable within long names. */
export function isolated(text: string, length = LABEL_LENGTH): Html {
	const parts = shorten(text.replace(DIRECTION_MARKS, ''), length).split(AFTER_SEPARATOR);
	return html`<bdi>${parts.map((part, index) => (index === 0 ? html`${part}` : html`<wbr />${part}`))}</bdi>`;
}
