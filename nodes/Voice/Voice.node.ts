import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { fixedTextHints } from '../shared/fields/fixedTextHint';
import { nodeProperties, operationSubtitle } from '../shared/node/nodeProperties';
import { runNode } from '../shared/run/runNode';
import { serviceNode } from '../shared/node/ServiceNode';
import { deleteStyle } from './delete.operation';
import { getAll } from './getAll.operation';
import { searchStyles } from './searchStyles';
import { upload } from './upload.operation';
import { credentialTest } from '../shared/service/testCredential';

const node = serviceNode({
	operations: [deleteStyle, getAll, upload],
	defaultOperation: getAll,
	includeOtherFields: false,
	timeoutMs: 60_000,
	concurrency: 1,
});

export class Voice implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Inference Voice',
		name: 'voice',
		icon: { light: 'file:voice.svg', dark: 'file:voice.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: operationSubtitle(node),
		description: 'Upload, list and delete your voice styles',
		defaults: { name: 'Inference Voice' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'inferenceServiceApi', required: true, testedBy: 'testCredential' }],
		builderHint: {
			searchHint:
				'Manages voice styles for text to speech and voice cloning: uploads a reference recording, lists the styles, deletes one. It does not generate speech itself. "upload" needs a recording, customName, text and model. "getAll" gives one item for each style, with its uri, which "delete" takes.',
		},
		hints: fixedTextHints,
		properties: nodeProperties(node),
	};

	methods = { credentialTest, listSearch: { searchStyles } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runNode(this, node);
	}
}
