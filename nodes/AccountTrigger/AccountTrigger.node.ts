import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { pollBalance } from './pollBalance';
import { TRIGGER_PROPERTIES } from './triggerFields';

export class AccountTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Inference Account Trigger',
		name: 'accountTrigger',
		icon: { light: 'file:accountTrigger.svg', dark: 'file:accountTrigger.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter["event"] === "balanceChanged" ? "Balance Changed" : "Balance Below Threshold" }}',
		description: "Starts the workflow when the account's balance falls below an amount, or changes",
		defaults: { name: 'Inference Account Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'inferenceServiceApi', required: true }],
		properties: TRIGGER_PROPERTIES,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollBalance(this);
	}
}
