import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import {
	NodeConnectionTypes,
	type IBinaryKeyData,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	type IWorkflowBase,
} from 'n8n-workflow';

import { outputsOf, runWorkflow, type WorkflowRun } from '../engine/runWorkflow';
import { credentialTypes, nodeTypes } from './runNode';

/** A workflow of `templates`, as n8n imports it. */
export type Template = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections' | 'settings' | 'pinData'>;

export const OWN = 'n8n-nodes-inference-service.';
export const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

const FOLDER = path.resolve(__dirname, '../templates');

export const templateFiles: string[] = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));

export function readTemplate(file: string): Template {
	return JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Template;
}

/** Replaces a node of n8n's: passes on its input. */
export class PassOn implements INodeType {
	description: INodeTypeDescription;

	constructor(name: string, outputs = 1, properties: INodeProperties[] = []) {
		this.description = {
			displayName: name,
			name,
			group: ['transform'],
			version: [1, 1.1, 1.2, 1.4, 2.1, 2.2, 2.3, 3.2, 3.4, 4.5, 4.7, 4.8],
			description: '',
			defaults: { name },
			inputs: [NodeConnectionTypes.Main],
			outputs: Array.from({ length: outputs }, () => NodeConnectionTypes.Main),
			properties,
		};
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}
}

/** Outputs the items that the run is given. */
export class Trigger extends PassOn {
	async trigger() {
		return {};
	}
}

const conditions: INodeProperties = {
	displayName: 'Conditions',
	name: 'conditions',
	type: 'filter',
	default: {},
	typeOptions: { filter: { version: 2 } },
};

/** Stands in for If and Filter, with the engine's own judgement of the conditions. */
class Judge extends PassOn {
	constructor(name: string) {
		super(name, 2, [conditions]);
	}

	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const outputs: [INodeExecutionData[], INodeExecutionData[]] = [[], []];
		this.getInputData().forEach((item, index) => {
			const passes = this.getNodeParameter('conditions', index, false, { extractValue: true }) as boolean;
			outputs[passes ? 0 : 1].push({ ...item, pairedItem: { item: index } });
		});
		return outputs;
	}
}

/** Stands in for Merge: the items of the first input, then those of the second. */
class Append extends PassOn {
	constructor(name: string) {
		super(name);
		this.description.inputs = [NodeConnectionTypes.Main, NodeConnectionTypes.Main];
		this.description.requiredInputs = 1;
	}

	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [[...this.getInputData(0), ...this.getInputData(1)]];
	}
}

const standIns: Record<string, INodeType> = {
	'n8n-nodes-base.scheduleTrigger': new Trigger('scheduleTrigger'),
	'n8n-nodes-base.formTrigger': new Trigger('formTrigger'),
	'n8n-nodes-base.form': new PassOn('form'),
	'n8n-nodes-base.stickyNote': new PassOn('stickyNote'),
	'n8n-nodes-base.googleSheets': new PassOn('googleSheets'),
	'n8n-nodes-base.convertToFile': new PassOn('convertToFile'),
	'n8n-nodes-base.readWriteFile': new PassOn('readWriteFile'),
	'n8n-nodes-base.extractFromFile': new PassOn('extractFromFile'),
	'n8n-nodes-base.dataTable': new PassOn('dataTable'),
	'n8n-nodes-base.set': new PassOn('set'),
	'n8n-nodes-base.merge': new Append('merge'),
	'n8n-nodes-base.emailSend': new PassOn('emailSend'),
	'n8n-nodes-base.if': new Judge('if'),
	'n8n-nodes-base.filter': new Judge('filter'),
};

interface TemplateRun {
	/** What the trigger outputs. */
	json?: IDataObject;
	binary?: IBinaryKeyData | undefined;
	/** Further stand-ins for nodes of n8n, by type. */
	others?: Record<string, INodeType>;
	/** How it was started, by default by a trigger that runs in the background. */
	mode?: WorkflowRun['mode'];
	onChunk?: WorkflowRun['onChunk'];
}

/** Runs a template with the credential selected, as its notes say. Returns a node's output. */
export async function runTemplate(
	template: Template,
	service: { url: string; apiKey: string },
	{ json = {}, binary, others = {}, mode = 'trigger', onChunk }: TemplateRun = {},
) {
	const nodes = template.nodes.map((node) =>
		node.type.startsWith(OWN)
			? { ...node, credentials: { inferenceServiceApi: { id: '1', name: 'Service' } } }
			: node,
	);
	const result = await runWorkflow({
		workflow: { ...template, nodes },
		nodeTypes: { ...standIns, ...nodeTypes, ...others },
		credentialTypes,
		credentials: { inferenceServiceApi: { baseUrl: service.url, apiKey: service.apiKey } },
		items: [binary ? { json, binary } : { json }],
		mode,
		onChunk,
	});
	expect(result.data.resultData.error).toBeUndefined();
	const { runData } = result.data.resultData;
	return {
		outputsOf: (name: string) => outputsOf(result, name),
		ran: (name: string) => name in runData,
		/** Names of the nodes that ran, in order. */
		path: Object.keys(runData),
	};
}

/** The value of a parameter that is an expression, for an item from a node before it. */
export async function valueOf(
	template: Template,
	nodeName: string,
	parameter: string,
	json: IDataObject,
	before = 'Start',
) {
	const node = template.nodes.find(({ name }) => name === nodeName)!;
	let value: unknown;
	class Reader extends PassOn {
		override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			value = this.getNodeParameter(parameter, 0);
			return [[]];
		}
	}
	const property: INodeProperties = {
		displayName: parameter,
		name: parameter,
		type: 'string',
		default: '',
	};
	const start: INode = {
		id: '1',
		name: before,
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	await runWorkflow({
		workflow: {
			nodes: [start, { ...node, name: 'Reader', type: 'reader' }],
			connections: { [before]: { main: [[{ node: 'Reader', type: 'main', index: 0 }]] } },
		},
		nodeTypes: { reader: new Reader('reader', 1, [property]) },
		credentialTypes: {},
		credentials: {},
		items: [{ json }],
	});
	return value;
}
