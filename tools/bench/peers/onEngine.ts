import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';

import { behindTrigger } from '../../../engine/behindTrigger';
import { outputsOf, runWorkflow } from '../../../engine/runWorkflow';

export interface NodeOnEngine {
	/** Holds the node's full type name. */
	type: string;
	typeVersion?: number;
	nodeType?: INodeType;
	parameters: INodeParameters;
	credential?: { type: ICredentialType; data: ICredentialDataDecryptedObject };
	/** Returns whether an output item holds an answer. */
	isAnswered(json: IDataObject): boolean;
}

/**
 * Runs one node behind a manual trigger, with On Error set to "Continue". Returns the number of input items that got an answer.
 */
export async function runOnEngine(items: IDataObject[], node: NodeOnEngine): Promise<number> {
	const { type, typeVersion = 1, nodeType, parameters, credential } = node;
	const run = await runWorkflow({
		workflow: behindTrigger({
			type,
			typeVersion,
			parameters,
			onError: 'continueRegularOutput',
			...(credential ? { credentials: { [credential.type.name]: { id: '1', name: 'Service' } } } : {}),
		}),
		nodeTypes: nodeType ? { [type]: nodeType } : {},
		credentialTypes: credential ? { [credential.type.name]: credential.type } : {},
		credentials: credential ? { [credential.type.name]: credential.data } : {},
		items: items.map((json) => ({ json })),
	});
	const answered = (outputsOf(run, 'Node')[0] ?? []).filter(({ json }) => node.isAnswered(json));
	return new Set(answered.map(({ pairedItem }, index) => itemOf(pairedItem) ?? index)).size;
}

function itemOf(pairedItem: unknown): unknown {
	return typeof pairedItem === 'object' && pairedItem !== null && 'item' in pairedItem
		? pairedItem.item
		: pairedItem;
}
