import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { accountRequest, type AccountData } from './accountRequest';
import { balanceColumns } from './balances';
import { callPolicy } from '../shared/service/callPolicy';
import { createClient } from '../shared/service/createClient';
import { toNodeError } from '../shared/run/nodeErrors';
import { Parameters } from '../shared/fields/Parameters';
import { shouldReport } from './shouldReport';
import { conditionFields, options, type TriggerCondition } from './triggerFields';

/** A poll has no items, but reading parameters and making errors needs the index of one. */
const PLACEHOLDER_ITEM = { index: 0 };

/**
 * Polls once. Returns an item if there is something to report, and always if a person runs the trigger by hand.
 * @throws NodeApiError if the request fails, NodeOperationError for a wrong parameter or credential
 */
export async function pollBalance(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const parameters = new Parameters(
			context.getNode().parameters,
			(path) => context.getNodeParameter(path, null),
			// A poll cannot evaluate single expressions, and the trigger has no parameter for text.
			() => undefined,
		);
		const condition = parameters.readEach(conditionFields, PLACEHOLDER_ITEM.index);
		const data = await requestAccount(context, parameters);
		// A manual run must not change what the trigger remembers.
		return context.getMode() === 'manual' ||
			shouldReport(context.getWorkflowStaticData('node'), data, condition)
			? [[{ json: { ...balanceColumns(data), ...columnsOf(condition) } }]]
			: null;
	} catch (error) {
		throw toNodeError(error, context.getNode(), PLACEHOLDER_ITEM);
	}
}

async function requestAccount(context: IPollFunctions, parameters: Parameters): Promise<AccountData> {
	const values = parameters.readEach(options, PLACEHOLDER_ITEM.index);
	const client = await createClient(context);
	// n8n gives up on a poll that takes longer than this. Before about 2.36, there was no such limit.
	const pollBudgetSeconds = (context.getPollBudgetMs?.() ?? Infinity) / 1000;
	const maxWaitSeconds = Math.min(values.maxWaitSeconds, pollBudgetSeconds);
	const { result } = await client.call(
		accountRequest((account) => account),
		callPolicy(client, options, { ...values, maxWaitSeconds }, { signal: new AbortController().signal }),
	);
	return result;
}

function columnsOf({ event, threshold }: TriggerCondition) {
	return { event, ...(threshold === undefined ? {} : { threshold }) };
}
