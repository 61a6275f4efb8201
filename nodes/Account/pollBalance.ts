import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { accountRequest, type AccountData } from './accountRequest';
import { balanceColumns, comparableBalance } from './balances';
import { callPolicy } from '../shared/service/callPolicy';
import { createClient } from '../shared/service/createClient';
import { toNodeError } from '../shared/run/nodeErrors';
import { Parameters } from '../shared/fields/Parameters';
import { Memory } from './Memory';
import { conditionFields, options, type TriggerCondition } from './triggerFields';

/** Parameters and errors need the index of an item, although a poll has no items. */
const AS_ITEM = { index: 0 };

/** One poll: returns an item when there is something to report, and always when a person runs it by hand. */
export async function pollBalance(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const parameters = new Parameters(context.getNode().parameters, (path) =>
			context.getNodeParameter(path, null),
		);
		const condition = parameters.readEach(conditionFields, AS_ITEM.index);
		const data = await requestAccount(context, parameters);
		// A manual run must not change what the trigger remembers.
		return context.getMode() === 'manual' || shouldReport(context, condition, data)
			? [[{ json: { ...balanceColumns(data), ...columnsOf(condition) } }]]
			: null;
	} catch (error) {
		throw toNodeError(error, context.getNode(), AS_ITEM);
	}
}

async function requestAccount(context: IPollFunctions, parameters: Parameters): Promise<AccountData> {
	const values = parameters.readEach(options, AS_ITEM.index);
	const client = await createClient(context);
	// n8n gives up on a poll that takes longer than this. Before about 2.36, there was no such limit.
	const longestWait = (context.getPollBudgetMs?.() ?? Infinity) / 1000;
	const maxWait = Math.min(values.maxWait, longestWait);
	const { result } = await client.call(
		accountRequest((account) => account),
		{
			...callPolicy(client, options, { ...values, maxWait }),
			signal: new AbortController().signal,
		},
	);
	return result;
}

function shouldReport(context: IPollFunctions, condition: TriggerCondition, data: AccountData): boolean {
	const balance = comparableBalance(data, condition.balanceField);
	return new Memory(context.getWorkflowStaticData('node')).shouldReport(balance, data.id, condition);
}

function columnsOf({ event, threshold }: TriggerCondition) {
	return { event, ...(threshold === undefined ? {} : { threshold }) };
}
