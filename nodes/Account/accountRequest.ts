import { isRecord, type UnknownFields } from '../../client/values/records';
import { missingError } from '../../client/response/errors';
import type { ServiceRequest } from '../../client/ServiceClient';
import type { Account } from '../../contract/types';

/** Describes the `data` of an account as the service sent it, not validated. */
export type AccountData = UnknownFields<Account['data']>;

/**
 * Returns a request for the account. It fails if the response has no account data.
 * @param read makes the result from the data, or from the whole response
 */
export function accountRequest<Result>(
	read: (data: AccountData, account: UnknownFields<Account>) => Result,
): ServiceRequest<Result> {
	return {
		method: 'GET',
		path: '/user/info',
		repeat: 'always',
		read: (account: UnknownFields<Account>) => read(dataOf(account), account),
	};
}

/**
 * Returns the data of an account, which the service puts into an envelope.
 * @throws CallFailure if the response has no account data
 */
function dataOf(account: UnknownFields<Account>): AccountData {
	if (isRecord(account.data)) return account.data;
	throw missingError('account data', account);
}
