import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { accountRequest, dataOf, type AccountData } from '../shared/http/accountRequest';
import { balanceColumns, comparableBalance } from '../shared/http/balances';
import { callPolicy } from '../shared/http/callPolicy';
import { createClient } from '../shared/http/createClient';
import { toNumber } from '../shared/text/decimal';
import { toNodeError } from '../shared/run/nodeErrors';
import { Parameters } from '../shared/fields/Parameters';
import { Memory } from './Memory';
import { balanceField, event, options, threshold } from './triggerFields';
import type { Watch } from './Watch';

/** A poll has no items. */
const AS_ITEM = { index: 0 };

/** One poll: an item when there is something to tell, and always when a person runs it by hand. */
export async function pollBalance(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const parameters = new Parameters(context.getNode().parameters, (path) =>
			context.getNodeParameter(path, null),
		);
		const watch = readWatch(parameters);
		const data = await requestAccount(context, parameters);
		// A manual run must not change what the trigger remembers.
		return context.getMode() === 'manual' || takeDue(context, watch, data)
			? [[{ json: { ...balanceColumns(data), ...columnsOf(watch) } }]]
			: null;
	} catch (error) {
		throw toNodeError(error, context.getNode(), AS_ITEM);
	}
}

function readWatch(parameters: Parameters): Watch {
	const watch = {
		event: parameters.read(event, AS_ITEM.index),
		balanceField: parameters.read(balanceField, AS_ITEM.index),
	};
	return watch.event === 'balanceBelow'
		? { ...watch, threshold: parameters.read(threshold, AS_ITEM.index) }
		: watch;
}

async function requestAccount(context: IPollFunctions, parameters: Parameters): Promise<AccountData> {
	const values = parameters.readEach(options, AS_ITEM.index);
	const client = await createClient(context);
	// n8n gives up on a poll that takes longer. Before 2.36 or so it had no such limit.
	const longestWait = (context.getPollBudgetMs?.() ?? Infinity) / 1000;
	const maxWait = Math.min(values.maxWait, longestWait);
	const { result } = await client.call(accountRequest(dataOf), {
		...callPolicy(client, options, { ...values, maxWait }),
		signal: new AbortController().signal,
	});
	return result;
}

function takeDue(context: IPollFunctions, watch: Watch, data: AccountData): boolean {
	const memory = new Memory(context.getWorkflowStaticData('node'));
	return memory.takeDue(comparableBalance(data, watch.balanceField), data.id, watch);
}

function columnsOf({ event, threshold }: Watch) {
	return { event, ...(threshold ? { threshold: toNumber(threshold) } : {}) };
}
