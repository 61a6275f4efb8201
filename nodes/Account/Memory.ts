import type { IDataObject } from 'n8n-workflow';

import { processState } from '../shared/service/processState';
import type { TriggerCondition } from './triggerFields';

/** The static data of the node, which n8n stores as JSON, so these names must not change. */
interface StoredBalance {
	/** The ID of the account that the stored balance belongs to, if the service has given one. */
	account?: string;
	/** The condition that the stored balance was compared with, as JSON. */
	watched?: string;
	/** The balance that was reported last. It is deleted when a balance at or above the threshold is seen. */
	lastReported?: number;
}

/** n8n sets this field when the static data has changed, and stores the data when a poll emits an item. */
const CHANGE_MARK = '__dataChanged';

/**
 * Decides whether a trigger reports a balance, by what it remembers of earlier polls in the node's static data.
 *
 * n8n stores static data only when a poll emits an item. So a restart loses the changes of all polls since then: the balance may
 * have been above the threshold in between without a trace. With durable poll cursors (n8n 2.36 and later), n8n stores the
 * data after every poll, and passes it as a plain object without `__dataChanged`.
 */
export class Memory {
	/** @param staticData the node's static data, read after the response of this poll has arrived */
	constructor(private readonly staticData: IDataObject & StoredBalance) {}

	/** Returns whether to report a balance. If it returns true, the balance is remembered as reported. */
	shouldReport(balance: number, accountId: unknown, condition: TriggerCondition): boolean {
		// If the response has no account ID, the account is taken to be the same as before.
		const account = isId(accountId) ? String(accountId) : this.staticData.account;
		const watched = JSON.stringify([condition.event, condition.balanceField, condition.threshold]);
		const isOtherAccount = this.staticData.account !== undefined && this.staticData.account !== account;
		if (isOtherAccount || this.staticData.watched !== watched) delete this.staticData.lastReported;
		if (account !== undefined) this.staticData.account = account;
		this.staticData.watched = watched;
		const mayHaveMissedPolls = this.mayHaveMissedPolls();
		const { lastReported } = this.staticData;
		const hasThreshold = condition.threshold !== undefined;
		if (hasThreshold && balance >= condition.threshold!) {
			delete this.staticData.lastReported;
			return false;
		}
		if (lastReported === balance) return false;
		if (lastReported !== undefined && hasThreshold && !mayHaveMissedPolls) return false;
		this.staticData.lastReported = balance;
		return true;
	}

	/** Returns whether polls may have run since n8n stored the data, so that their changes were lost. */
	private mayHaveMissedPolls(): boolean {
		const isStoredEachPoll = !(CHANGE_MARK in this.staticData);
		if (isStoredEachPoll || processState.polledData.has(this.staticData)) return false;
		processState.polledData.add(this.staticData);
		return true;
	}
}

function isId(value: unknown): value is string | number {
	return typeof value === 'string' || typeof value === 'number';
}
