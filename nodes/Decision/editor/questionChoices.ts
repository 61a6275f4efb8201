import type { ILoadOptionsFunctions, INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { readStored } from './storedDecision';

/** Lists the questions for a dropdown. The first entry means the first question, whatever its ID is. */
export async function questionChoices(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const questions = this.getCurrentNodeParameter('questions') as INodeParameters | undefined;
	const ids = readStored({ questions: questions ?? {} }).questions.map(({ id }) => id);
	return await Promise.resolve([
		{ name: 'First Question', value: '' },
		...[...new Set(ids)].filter((id) => id !== '').map((id) => ({ name: id, value: id })),
	]);
}
