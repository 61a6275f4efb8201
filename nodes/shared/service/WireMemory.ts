/** The connections of this many nodes are kept. The oldest is dropped first. */
const MAX_NODES = 1000;

/** Describes an output of a node, and the nodes that it is connected to. */
export interface Output {
	label: string;
	targets: Target[];
}

export interface Target {
	id: string;
	name: string;
}

/** Describes a label that leads to other nodes than it did before, because it belongs to another output now. */
export interface MovedLabel {
	label: string;
	/** Holds the names of the nodes that it leads to now. It is empty if it leads to none. */
	leadsTo: string[];
}

/** Describes the outputs of a node in its latest run, and the labels that had moved then. */
interface Remembered {
	outputs: Output[];
	moved: MovedLabel[];
}

/** Remembers how nodes were connected in their latest runs. */
export class WireMemory {
	private readonly nodes = new Map<string, { manual?: Remembered; published?: Remembered }>();

	/**
	 * Compares a node's outputs with those of its latest run, and remembers them. While neither the labels nor the connections
	 * change, the labels that have moved stay the same.
	 * @param node identifies the node and its workflow
	 * @param isManual whether a person runs the workflow in the editor, where it may differ from the published one
	 */
	compare(node: string, isManual: boolean, outputs: Output[]): MovedLabel[] {
		const known = this.nodes.get(node) ?? {};
		const before = isManual ? (known.manual ?? known.published) : (known.published ?? known.manual);
		const moved = before ? movedSince(before, outputs) : [];
		this.nodes.delete(node);
		this.nodes.set(node, { ...known, [isManual ? 'manual' : 'published']: { outputs, moved } });
		const [oldest] = this.nodes.keys();
		if (this.nodes.size > MAX_NODES) this.nodes.delete(oldest!);
		return moved;
	}
}

function movedSince(before: Remembered, outputs: Output[]): MovedLabel[] {
	const isUnchanged =
		before.outputs.length === outputs.length &&
		outputs.every((output, index) => isEqual(output, before.outputs[index]!));
	if (isUnchanged) return before.moved;
	return outputs.flatMap(({ label, targets }, index) => {
		const earlier = before.outputs.findIndex((output) => output.label === label);
		const hasMoved = earlier !== -1 && earlier !== index;
		if (!hasMoved || leadToSame(targets, before.outputs[earlier]!.targets)) return [];
		return [{ label, leadsTo: targets.map(({ name }) => name) }];
	});
}

function isEqual(a: Output, b: Output): boolean {
	return a.label === b.label && leadToSame(a.targets, b.targets);
}

function leadToSame(a: Target[], b: Target[]): boolean {
	const ids = new Set(b.map(({ id }) => id));
	return new Set(a.map(({ id }) => id)).size === ids.size && a.every(({ id }) => ids.has(id));
}
