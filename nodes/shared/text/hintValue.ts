import { shorten } from '../../../client/shorten';
import { escapeHtml } from './escapeHtml';

/** In characters. People only glance at a hint. */
const LONGEST_VALUE = 40;

/** A value as a hint shows it: short, and escaped, because n8n renders hints as HTML. */
export function hintValue(value: string): string {
	return escapeHtml(shorten(value, LONGEST_VALUE));
}
