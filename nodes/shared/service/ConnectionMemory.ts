import { LatestMap } from '../values/LatestMap';

/** The connections of this many nodes are kept. */
const MAX_NODES = 1000;

/** Describes an output of a node, and the nodes that it is connected to. */
export interface Output {
	label: string;
	/** Says whether the output is n8n's for failed items, which is the last one. */
	isForErrors: boolean;
	targets: Target[];
}

export interface Outputs {
	list: Output[];
	/** Identifies what decides about their labels, such as the question that chooses the output. */
	source: string;
}

interface Target {
	id: string;
	name: string;
	/** Holds the index of the node's input. */
	input: number;
}

/**
 * Describes a label that leads to other nodes than it did before, because it belongs to another output now, or a new one that leads where
 * another label led.
 */
export interface MovedLabel {
	label: string;
	/** Holds the label that led there before. It is undefined for a label that is not new. */
	replaced?: string;
	/** Holds the names of the nodes that the label's output is connected to now, none if it is not connected. */
	leadsTo: string[];
}

/** Describes the outputs of a node in its latest run, and the labels that had moved then. */
interface Remembered {
	outputs: Outputs;
	moved: MovedLabel[];
}

/** Remembers how nodes were connected in their latest runs. */
export class ConnectionMemory {
	private readonly nodes = new LatestMap<string, { manual?: Remembered; published?: Remembered }>(MAX_NODES);

	/**
	 * Compares a node's outputs with those of its latest run, and remembers them. While neither the labels nor the connections
	 * change, the labels that have moved stay the same.
	 * @param node identifies the node and its workflow
	 * @param isManual whether a person runs the workflow in the editor, where it may differ from the published one
	 */
	compare(node: string, isManual: boolean, outputs: Outputs): MovedLabel[] {
		const known = this.nodes.get(node) ?? {};
		const before = isManual ? (known.manual ?? known.published) : (known.published ?? known.manual);
		const moved = before ? movedSince(before, outputs) : [];
		this.nodes.set(node, { ...known, [isManual ? 'manual' : 'published']: { outputs, moved } });
		return moved;
	}
}

function movedSince(before: Remembered, { list, source }: Outputs): MovedLabel[] {
	const { list: earlier } = before.outputs;
	const isUnchanged =
		earlier.length === list.length &&
		list.every((output, index) => isSame(output, earlier[index]!) && leadToSame(output, earlier[index]!));
	if (isUnchanged) return before.moved;
	const isOther = source !== before.outputs.source && !isOneRenamed(earlier, list);
	return list.flatMap((output, index) => {
		const { label } = output;
		const leadsTo = output.targets.map(({ name }) => name);
		const known = earlier.findIndex((one) => isSame(one, output));
		if (known !== -1) {
			const isRight = known === index || leadToSame(output, earlier[known]!);
			return isRight ? [] : [{ label, leadsTo }];
		}
		const replaced = earlier[index];
		const isLeft = isOther && replaced && leadsTo.length > 0 && leadToSame(output, replaced);
		if (!isLeft || list.some((one) => isSame(one, replaced))) return [];
		return [{ label, leadsTo, replaced: replaced.label }];
	});
}

/** Returns whether a single label has another text at its place, as when a person renames an option. */
function isOneRenamed(before: Output[], now: Output[]): boolean {
	return (
		before.length === now.length && now.filter((one, index) => !isSame(one, before[index]!)).length === 1
	);
}

function isSame(a: Output, b: Output): boolean {
	return a.label === b.label && a.isForErrors === b.isForErrors;
}

function leadToSame({ targets: a }: Output, { targets: b }: Output): boolean {
	const ids = new Set(b.map(({ id }) => id));
	return new Set(a.map(({ id }) => id)).size === ids.size && a.every(({ id }) => ids.has(id));
}
