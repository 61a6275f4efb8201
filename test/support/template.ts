import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	IWorkflowBase,
} from 'n8n-workflow';

import { START } from '../../engine/behindTrigger';
import { PassOn } from '../../engine/builtInNodes';
import { outputsOf, runWorkflow } from '../../engine/runWorkflow';
import { credentialTypes, nodeTypes } from './runNode';
import { standIns } from './standIns';

/** Describes a workflow of `templates`, as n8n imports it. */
export type Template = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections' | 'settings' | 'pinData'>;

export const OWN = 'n8n-nodes-inference-service.';
export const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

const FOLDER = path.resolve(__dirname, '../../templates');

export const templateFiles: string[] = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));

export function readTemplate(file: string): Template {
	return JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Template;
}

interface TemplateRun {
	/** Holds the item that the trigger outputs. */
	json?: IDataObject;
	binary?: IBinaryKeyData | undefined;
	/** Holds the further items that the trigger outputs. */
	more?: IDataObject[];
	/** Holds the other stand-ins for nodes of n8n, by their names without the package. */
	others?: Record<string, INodeType>;
	/** Holds the trigger at which to start, if the template has several. */
	at?: string;
}

/** Runs a template with the credential selected, as its notes require. Returns the outputs of its nodes. */
export async function runTemplate(
	template: Template,
	service: { url: string; apiKey: string },
	{ json = {}, binary, more = [], others = {}, at }: TemplateRun = {},
) {
	const nodes = template.nodes
		.filter(({ name, type }) => at === undefined || name === at || !type.endsWith('Trigger'))
		.map((node) =>
			node.type.startsWith(OWN)
				? { ...node, credentials: { inferenceServiceApi: { id: '1', name: 'Service' } } }
				: node,
		);
	const given = Object.entries(others).map(([name, type]) => [`n8n-nodes-base.${name}`, type] as const);
	const result = await runWorkflow({
		workflow: { ...template, nodes },
		nodeTypes: { ...standIns, ...nodeTypes, ...Object.fromEntries(given) },
		credentialTypes,
		credentials: { inferenceServiceApi: { baseUrl: service.url, apiKey: service.apiKey } },
		items: [binary ? { json, binary } : { json }, ...more.map((one) => ({ json: one }))],
		mode: 'trigger',
	});
	const { runData, error } = result.data.resultData;
	return {
		/** Returns the items of a node's last run, by output. */
		outputsOf: (name: string) => outputsOf(result, name),
		/** Returns the items of a node's first output in its last run. */
		rowsOf: (name: string) => outputsOf(result, name)[0]!.map((item) => item.json),
		/** Holds the names of the nodes that ran, in order. */
		path: Object.keys(runData),
		/** Returns how many times a node ran. */
		runsOf: (name: string) => runData[name]?.length ?? 0,
		/** Holds the error of the execution, if it failed. */
		error: error?.message,
	};
}

/** Computes the expression in a parameter, for an item from a previous node. */
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
	await runWorkflow({
		workflow: {
			nodes: [
				{ ...START, name: before },
				{ ...node, name: 'Reader', type: 'reader' },
			],
			connections: { [before]: { main: [[{ node: 'Reader', type: 'main', index: 0 }]] } },
		},
		nodeTypes: { reader: new Reader('reader', 1, [property]) },
		credentialTypes: {},
		credentials: {},
		items: [{ json }],
	});
	return value;
}
