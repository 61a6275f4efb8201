import type { IDataObject } from 'n8n-workflow';

import { processState } from '../shared/service/processState';
import type { TriggerCondition } from './triggerFields';

/** The static data that n8n stores, as JSON. */
interface Remembered {
	/** What the remembered balance belongs to: an account, if the service has named it, and a condition. */
	account?: string;
	watched?: string;
	/** The balance reported last; absent once a balance at or above the threshold has been seen. */
	lastReported?: number;
}

/** n8n sets this field when static data has changed, and then stores the data with the next emitted item. */
const CHANGE_MARK = '__dataChanged';

/**
 * What a trigger remembers from poll to poll.
 *
 * n8n stores it when a poll emits an item. What a poll without an item has learned is lost at a restart: a balance below the
 * threshold may then have been above it in between. With durable poll cursors (n8n 2.36 and later) every poll is stored, and
 * its static data is a plain copy of what was stored.
 */
export class Memory {
	/** @param staticData of the node, taken for this poll, after its response has come */
	constructor(private readonly staticData: IDataObject & Remembered) {}

	/** Whether a balance must be reported. If so, it counts as reported. */
	shouldReport(balance: number, accountId: unknown, condition: TriggerCondition): boolean {
		// A response without the ID counts as one about the same account.
		const account = isId(accountId) ? String(accountId) : this.staticData.account;
		const watched = JSON.stringify([condition.event, condition.balanceField, condition.threshold]);
		const isAnother = this.staticData.account !== undefined && this.staticData.account !== account;
		if (isAnother || this.staticData.watched !== watched) delete this.staticData.lastReported;
		if (account !== undefined) this.staticData.account = account;
		this.staticData.watched = watched;
		const mayHaveMissedSome = this.mayHaveMissedSome();
		const { lastReported } = this.staticData;
		const hasThreshold = condition.threshold !== undefined;
		if (hasThreshold && balance >= condition.threshold!) {
			delete this.staticData.lastReported;
			return false;
		}
		if (lastReported === balance) return false;
		if (lastReported !== undefined && hasThreshold && !mayHaveMissedSome) return false;
		this.staticData.lastReported = balance;
		return true;
	}

	/** Whether there may have been polls since the stored data was written. */
	private mayHaveMissedSome(): boolean {
		const isStoredEachPoll = !(CHANGE_MARK in this.staticData);
		if (isStoredEachPoll || processState.polledData.has(this.staticData)) return false;
		processState.polledData.add(this.staticData);
		return true;
	}
}

function isId(value: unknown): value is string | number {
	return typeof value === 'string' || typeof value === 'number';
}
