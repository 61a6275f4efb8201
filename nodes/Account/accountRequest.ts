import { decodeJsonObject } from '../../client/response/decodeJson';
import { isRecord, type UnknownFields } from '../../client/response/records';
import { missingError } from '../../client/response/errors';
import type { ServiceRequest } from '../../client/ServiceClient';
import type { Account } from '../../contract/types';

/** The `data` of an account as the service gave it. */
export type AccountData = UnknownFields<Account['data']>;

/**
 * A request for the account.
 * @param read turns the response's JSON body, if it is not a refusal, into a result
 */
export function accountRequest<Result>(
	read: (account: UnknownFields<Account>) => Result,
): ServiceRequest<Result> {
	return {
		method: 'GET',
		path: '/user/info',
		repeat: 'always',
		decode: async (response) => read(await decodeJsonObject<Account>(response)),
	};
}

/** @throws CallFailure if the response has none */
export function dataOf(account: UnknownFields<Account>): AccountData {
	if (isRecord(account.data)) return account.data;
	throw missingError('account data', account);
}
