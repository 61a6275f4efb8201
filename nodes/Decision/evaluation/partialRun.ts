import type { RunContext } from '../../shared/context/RunContext';

const LOOP_OVER_ITEMS = 'n8n-nodes-base.splitInBatches';

/**
 * Returns the number of this run if the node has run before in the execution, and each run gets only a part of the rows: behind several
 * branches, or within a "Loop Over Items". Any other loop through the node may give it all rows again, such as one that tries wordings.
 */
export function numberOfPartialRun({ earlierPasses, context }: RunContext): number | undefined {
	if (earlierPasses === 0) return undefined;
	const { name } = context.getNode();
	const later = new Set(context.getChildNodes(name).map((node) => node.name));
	const loop = context.getParentNodes(name).filter((node) => later.has(node.name));
	const isPartial = loop.length === 0 || loop.some(({ type }) => type === LOOP_OVER_ITEMS);
	return isPartial ? earlierPasses + 1 : undefined;
}
