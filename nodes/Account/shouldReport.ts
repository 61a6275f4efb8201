import type { IDataObject } from 'n8n-workflow';

import { isFilledText } from '../../client/values/records';
import { processState } from '../shared/service/processState';
import type { AccountData } from './accountRequest';
import { comparableBalance } from './balances';
import type { TriggerCondition } from './triggerFields';

/** n8n stores the static data of the node as JSON, so these names must not change. */
interface StoredBalance {
	/** Holds the ID of the account that the stored balance belongs to, if the service has given one. */
	account?: string;
	/** Holds the condition that the stored balance was compared with, as JSON. */
	watched?: string;
	/** Holds the balance that was reported last. It is deleted when a balance at or above the threshold is seen. */
	lastReported?: number;
}

/** n8n sets this field when the static data has changed, and stores the data when a poll emits an item. */
const CHANGE_MARK = '__dataChanged';

/**
 * Returns whether a trigger reports a balance, by what it remembers of earlier polls in the node's static data. If it returns true,
 * the balance is remembered as reported.
 *
 * n8n stores static data only when a poll emits an item. So a restart loses the changes of all polls since then: the balance may
 * have been above the threshold in between without a trace. With durable poll cursors (n8n 2.36 and later), n8n stores the
 * data after every poll, and passes it as a plain object without `__dataChanged`.
 * @param memory the node's static data, read after the response of this poll has arrived
 */
export function shouldReport(
	memory: IDataObject & StoredBalance,
	data: AccountData,
	{ event, balanceField, threshold }: TriggerCondition,
): boolean {
	const balance = comparableBalance(data, balanceField);
	// If the response has no account ID, the account is taken to be the same as before.
	const account = isId(data.id) ? String(data.id) : memory.account;
	const watched = JSON.stringify([event, balanceField, threshold]);
	const isOtherAccount = memory.account !== undefined && memory.account !== account;
	if (isOtherAccount || memory.watched !== watched) delete memory.lastReported;
	if (account !== undefined) memory.account = account;
	memory.watched = watched;
	const missedPolls = mayHaveMissedPolls(memory);
	const { lastReported } = memory;
	if (threshold !== undefined && balance >= threshold) {
		delete memory.lastReported;
		return false;
	}
	if (lastReported === balance) return false;
	if (lastReported !== undefined && threshold !== undefined && !missedPolls) return false;
	memory.lastReported = balance;
	return true;
}

/** Returns whether polls may have run since n8n stored the data, so that their changes were lost. */
function mayHaveMissedPolls(memory: object): boolean {
	const isStoredEachPoll = !(CHANGE_MARK in memory);
	if (isStoredEachPoll || processState.polledData.has(memory)) return false;
	processState.polledData.add(memory);
	return true;
}

function isId(value: unknown): value is string | number {
	return isFilledText(value) || typeof value === 'number';
}
