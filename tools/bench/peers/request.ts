import type { IDataObject } from 'n8n-workflow';

import { QUESTION } from '../items';
import type { Service } from '../Job';

export function headersFor({ apiKey }: Service): Record<string, string> {
	return { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
}

export function bodyFor({ text }: IDataObject): string {
	const questions = { [QUESTION.id]: { type: 'noul', instructions: QUESTION.instructions } };
	return JSON.stringify({ model: 'Kev-4B', state: { text }, questions });
}

export function isAnswer(body: unknown): boolean {
	return typeof body === 'object' && body !== null && 'answers' in body;
}
