import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { entriesOf } from '../shared/fields/Field';

/** The questions that are there now, for a dropdown. The first one has an entry of its own, which holds whatever it is called. */
export async function questionChoices(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const ids = entriesOf(this.getCurrentNodeParameter('questions'), 'question')
		.map(({ id }) => id)
		.filter((id): id is string => typeof id === 'string' && id !== '');
	return await Promise.resolve([
		{ name: 'First Question', value: '' },
		...[...new Set(ids)].map((id) => ({ name: id, value: id })),
	]);
}
