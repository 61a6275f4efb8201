import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { pollBalance } from './pollBalance';
import { TRIGGER_PROPERTIES } from './triggerFields';
import { credentialTest } from '../shared/service/testCredential';

export class AccountTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Inference Account Trigger',
		name: 'accountTrigger',
		icon: { light: 'file:accountTrigger.svg', dark: 'file:accountTrigger.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter["event"] === "balanceChanged" ? "Balance Changed" : "Balance Below Threshold" }}',
		// n8n's node panel shows this text for the trigger and the node Inference Account, which it lists as one.
		description:
			'Get account details and balances, or start a workflow when the balance falls below an amount or changes',
		defaults: { name: 'Inference Account Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'inferenceServiceApi', required: true, testedBy: 'testCredential' }],
		builderHint: {
			searchHint:
				'Starts a workflow when the balance of the Inference Service account falls below an amount (once, until it has been at or above it again), or whenever it changes. Emits one item with balance, charge_balance and total_balance. To read the balance in the middle of a workflow, use n8n-nodes-inference-service.account.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-inference-service.account',
					relationHint: 'Reads the balance when a workflow needs it, such as on a schedule',
				},
			],
		},
		hints: [
			{
				message:
					"A sample with today's balance. Once the workflow is published, it starts only when the balance falls below the threshold.",
				location: 'outputPane',
				whenToDisplay: 'afterExecution',
				displayCondition: '={{ $parameter["event"] !== "balanceChanged" }}',
			},
		],
		properties: TRIGGER_PROPERTIES,
	};

	methods = { credentialTest };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollBalance(this);
	}
}
