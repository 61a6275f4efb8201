import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { nodeProperties, operationSubtitle } from '../shared/node/nodeProperties';
import { runNode } from '../shared/run/runNode';
import { serviceNode } from '../shared/node/ServiceNode';
import { credentialTest } from '../shared/service/testCredential';
import { get } from './get.operation';
import { getBalance } from './getBalance.operation';

const node = serviceNode({
	operations: [get, getBalance],
	defaultOperation: get,
	includeOtherFields: false,
	timeoutMs: 60_000,
	concurrency: 1,
});

export class Account implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Inference Account',
		name: 'account',
		icon: { light: 'file:account.svg', dark: 'file:account.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: operationSubtitle(node),
		description: 'Get account details and balances',
		defaults: { name: 'Inference Account' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'inferenceServiceApi', required: true, testedBy: 'testCredential' }],
		builderHint: {
			searchHint:
				'Checks the account of the Inference Service: operation "getBalance" gives the numbers balance, charge_balance and total_balance, each also as text (total_balance_text), and checked_at; "get" gives all account details, such as name and status. To start a workflow when the balance is low, use n8n-nodes-inference-service.accountTrigger.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-inference-service.accountTrigger',
					relationHint: 'Starts a workflow when the balance falls below an amount, or changes',
				},
			],
		},
		properties: nodeProperties(node),
	};

	methods = { credentialTest };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runNode(this, node);
	}
}
