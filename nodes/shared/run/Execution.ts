import { accumulateTokenUsage, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../../client/ServiceClient';
import { createClient } from '../http/createClient';
import { once } from '../fields/once';
import { Parameters } from '../fields/Parameters';
import type { ServiceNode } from './ServiceNode';
import { sumKnown } from '../text/sumKnown';

/** One run of a node: what its items share. */
export class Execution {
	readonly items: INodeExecutionData[];

	/** Whether an AI Agent runs the node as its tool. */
	readonly asTool: boolean;

	readonly parameters: Parameters;

	/** What the service has told so far; null as long as it has told nothing. */
	readonly tokens: Record<'input' | 'output', number | null> = { input: null, output: null };

	private readonly stopping = new AbortController();

	private readonly made = new Map<unknown, () => unknown>();

	constructor(
		readonly context: IExecuteFunctions,
		readonly node: ServiceNode,
	) {
		// The engine hands on items without JSON, as a node may put them out.
		this.items = context
			.getInputData()
			.map((item) => ((item.json as unknown) ? item : { ...item, json: {} }));
		// Agents from version 3 on run a tool as an ordinary execution of the node type `<name>Tool`.
		this.asTool = context.isToolExecution?.() === true || context.getNode().type.endsWith('Tool');
		this.parameters = Parameters.ofItems(context);
	}

	/** Aborted when the execution is stopped, or an item's failure ends it. */
	get signal(): AbortSignal {
		return this.stopping.signal;
	}

	stop(): void {
		this.stopping.abort();
	}

	/** Whether a hint may hold values of items: n8n does not redact hints. Versions without such a policy redact nothing. */
	get mayShowData(): boolean {
		return this.context.isConsoleOutputRedacted?.() !== true;
	}

	/** Counts the tokens of one request, and shows them in n8n's own display, which older versions lack. */
	countTokens(input: number | null, output: number | null): void {
		if (input === null && output === null) return;
		this.tokens.input = sumKnown([this.tokens.input, input]);
		this.tokens.output = sumKnown([this.tokens.output, output]);
		accumulateTokenUsage?.(this.context, input ?? 0, output ?? 0);
	}

	/** What `make` gives or throws, asked once and shared by all items. */
	once<Value>(make: (execution: Execution) => Value): Value {
		const made = this.made.get(make) ?? this.remember(make);
		return made() as Value;
	}

	/** @throws CredentialError */
	client(): Promise<ServiceClient> {
		return this.once(clientOf);
	}

	/** The client, where an item has asked for it and got it. */
	async clientInUse(): Promise<ServiceClient | undefined> {
		return this.made.has(clientOf) ? await this.client().catch(() => undefined) : undefined;
	}

	private remember<Value>(make: (execution: Execution) => Value): () => Value {
		const made = once(() => make(this));
		this.made.set(make, made);
		return made;
	}
}

async function clientOf({ context }: Execution): Promise<ServiceClient> {
	return await createClient(context);
}
