import type { ILoadOptionsFunctions, INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { readStored } from './storedDecision';

/** The current questions, for a dropdown. The first entry stands for the first question, whatever its ID. */
export async function questionChoices(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const questions = this.getCurrentNodeParameter('questions') as INodeParameters | undefined;
	const ids = readStored({ questions: questions ?? {} }).questions.map(({ id }) => id);
	return await Promise.resolve([
		{ name: 'First Question', value: '' },
		...[...new Set(ids)].filter((id) => id !== '').map((id) => ({ name: id, value: id })),
	]);
}
