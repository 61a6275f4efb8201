import type { ServiceNode } from './ServiceNode';

/** An expression that shows the label of the chosen operation below the node's name on the canvas. */
export function operationSubtitle({ operations }: ServiceNode): string {
	const labels = Object.fromEntries(operations.map(({ value, name }) => [value, name]));
	return `={{ (${JSON.stringify(labels)})[$parameter["operation"]] }}`;
}
