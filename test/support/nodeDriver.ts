import type { IDataObject, INodeExecutionData, INodeParameters, INodeProperties } from 'n8n-workflow';

import type { ItemError } from '../../nodes/shared/run/nodeErrors';
import { nodeTypes, readErrorItem, runNode, type NodeResult, type NodeRun } from './runNode';

/** Runs one node, each time with other parameters. */
export interface NodeDriver<Input> {
	run(parameters: INodeParameters, input?: Input): Promise<NodeResult>;
	/** Returns the items by output. Rejects with the error that the node threw. */
	outputs(parameters: INodeParameters, input?: Input): Promise<INodeExecutionData[][]>;
	/** Returns the items of the first output. */
	items(parameters: INodeParameters, input?: Input): Promise<INodeExecutionData[]>;
	/** Returns the only item of the first output. */
	json(parameters: INodeParameters, input?: Input): Promise<IDataObject>;
	/** Returns the hint above the output, or an empty text if there is none. */
	hint(parameters: INodeParameters, input?: Input): Promise<string>;
	/** Returns the error of the only item of all outputs, with On Error on Continue. */
	error(parameters: INodeParameters, input?: Input): Promise<ItemError>;
	/** Returns the message of an error that comes before a request is sent, with On Error on Continue. */
	refusal(parameters: INodeParameters, input?: Input): Promise<string>;
}

/** The runs send their requests to the emulator or another server. */
interface Service {
	readonly url: string;
	readonly apiKey: string;
	readonly requests: readonly unknown[];
}

export type NodeInput = Partial<Omit<NodeRun, 'type' | 'parameters'>>;

/**
 * Runs a node of the package on n8n's engine, against an emulator or another server.
 * @param type the node type without the package, such as `decision`
 * @param defaults the input of runs that have none of their own
 */
export function nodeDriver(type: string, service: Service, defaults: NodeInput = {}): NodeDriver<NodeInput> {
	return driverOf(
		async (parameters, input) => await runNode({ type, service, parameters, ...defaults, ...input }),
		service,
	);
}

/** Makes a driver for the node that `run` runs. `run` must respect `onError`. */
export function driverOf<Input extends { onError?: NodeRun['onError'] }>(
	run: (parameters: INodeParameters, input: Input) => Promise<NodeResult>,
	service: Service,
): NodeDriver<Input> {
	const driver: NodeDriver<Input> = {
		run: async (parameters, input = {} as Input) => await run(parameters, input),
		outputs: async (parameters, input) => (await driver.run(parameters, input)).outputs(),
		items: async (parameters, input) => (await driver.outputs(parameters, input))[0]!,
		json: async (parameters, input) => {
			const items = await driver.items(parameters, input);
			expect(items).toHaveLength(1);
			return items[0]!.json;
		},
		hint: async (parameters, input) => (await driver.run(parameters, input)).hint(),
		error: async (parameters, input = {} as Input) => {
			const outputs = await driver.outputs(parameters, { ...input, onError: 'continueRegularOutput' });
			const [first, ...others] = outputs;
			expect(first).toHaveLength(1);
			expect(others.flat()).toEqual([]);
			return readErrorItem(first![0]!.json).error;
		},
		refusal: async (parameters, input) => {
			const error = await driver.error(parameters, input);
			expect(service.requests).toEqual([]);
			expect(error).toMatchObject({ attempts: 0, item_index: 0, http_status: null, trace_id: null });
			return error.message;
		},
	};
	return driver;
}

/**
 * Matches the beginning of the message for a wrong parameter.
 * @param name the stored name, such as `options.timeout`, or that of a part, such as `messages: message 1`
 * @param rule the beginning of the rule that the message states
 */
export function wrongParameter(name: string, rule: string): string {
	const [path = '', ...within] = name.split(': ');
	return `${[`"${labelOf(path)}" (${path})`, ...within].join(': ')} ${rule}`;
}

function labelOf(name: string): string {
	const path = name.split('.');
	for (const { description } of Object.values(nodeTypes)) {
		let list: INodeProperties[] = description.properties;
		let property: INodeProperties | undefined;
		for (const key of path) {
			property = list.find((candidate) => candidate.name === key);
			list = (property?.options ?? []).filter((option): option is INodeProperties => 'type' in option);
		}
		if (property) return property.displayName;
	}
	throw new Error(`No node has a parameter ${name}`);
}
