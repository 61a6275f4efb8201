import { isRecord } from '../../../client/response/records';

/**
 * Replaces null descriptions of criteria by empty texts. Other services with this endpoint accept null for a missing description,
 * but this service accepts only text.
 */
export function nullsAsText(criteria: unknown): unknown {
	if (Array.isArray(criteria)) return criteria.map((text: unknown) => text ?? '');
	if (!isRecord(criteria)) return criteria;
	return Object.fromEntries(Object.entries(criteria).map(([name, text]) => [name, text ?? '']));
}

/** Whether each entry of a list, or each value of an object, is a text. */
export function isTexts(criteria: object): boolean {
	return Object.values(criteria).every((text) => typeof text === 'string');
}
