import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { nodeProperties } from '../shared/node/nodeProperties';
import { runNode } from '../shared/run/runNode';
import { serviceNode } from '../shared/node/ServiceNode';
import { ask } from './ask.operation';
import { builderHint } from './editor/builderHint';
import { evaluate } from './evaluate.operation';
import { hints } from './editor/hints';
import { questionChoices } from './editor/questionChoices';
import { OUTPUTS } from './editor/outputs';
import { route } from './route.operation';
import { SUBTITLE } from './editor/subtitle';
import { searchModels } from '../shared/run/searchModels';
import { credentialTest } from '../shared/service/testCredential';

const node = serviceNode({
	operations: [ask, evaluate, route],
	defaultOperation: ask,
	includeOtherFields: true,
	timeoutMs: 60_000,
	concurrency: 8,
	billing: { sharesEqualRequests: true },
});

export class Decision implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Inference Decision',
		name: 'decision',
		icon: { light: 'file:decision.svg', dark: 'file:decision.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: SUBTITLE,
		// An AI Agent also gets this text as the tool's description, unless one is set manually.
		description:
			'Answer questions about text or an item: yes or no with a probability, one of several options or any number of them, or a rating on a scale',
		defaults: { name: 'Inference Decision' },
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS,
		usableAsTool: true,
		credentials: [
			{
				name: 'inferenceServiceApi',
				required: true,
				testedBy: 'testCredential',
				// Evaluate Answers sends nothing. With the credential required, n8n would refuse to publish its workflow without one.
				displayOptions: { hide: { operation: [evaluate.value] } },
			},
		],
		builderHint,
		hints,
		properties: nodeProperties(node),
	};

	methods = { credentialTest, listSearch: { searchModels }, loadOptions: { questionChoices } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runNode(this, node);
	}
}
