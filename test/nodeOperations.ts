import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { nodeTypes } from './runNode';

const nodes = Object.values(nodeTypes).map(({ description: { name, properties } }) => ({
	name,
	chooser: properties.find((property) => property.name === 'operation'),
}));

/** All of the package, such as `voice delete`; a node without operations is in it by its name. */
export const NODE_OPERATIONS = nodes.flatMap(({ name, chooser }) => {
	const choices = chooser?.options as INodePropertyOptions[] | undefined;
	return choices?.map(({ value }) => `${name} ${String(value)}`) ?? [name];
});

/** Which of them a node with these parameters runs. */
export function operationOf(type: string, { operation }: INodeParameters): string {
	const chooser = nodes.find(({ name }) => name === type)?.chooser;
	return chooser ? `${type} ${String(operation ?? chooser.default)}` : type;
}
