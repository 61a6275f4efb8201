import type { IDataObject } from 'n8n-workflow';

import { decodeJsonObject } from '../../client/decodeJson';
import { isRecord } from '../../client/isRecord';
import { responseError, ServiceError } from '../../client/ServiceError';
import type { ItemContext } from '../shared/ItemContext';
import type { ItemResult } from '../shared/Operation';
import { simplify } from '../shared/sharedFields';

/** The `data` of an account as the service gave it. */
export type AccountData = Record<string, unknown>;

/**
 * Asks for the account.
 * @param toColumns makes the output of the account's data; not used when "Simplify" is off
 */
export async function requestAccount(
	item: ItemContext,
	toColumns: (data: AccountData) => IDataObject,
): Promise<ItemResult> {
	const { result } = await item.call({
		method: 'GET',
		path: '/user/info',
		repeat: 'always',
		decode: async (response) => {
			const account = await decodeJsonObject(response).catch(
				async (error: unknown) => await Promise.reject(asRefusal(error)),
			);
			return item.read(simplify) ? toColumns(dataOf(account)) : (account as IDataObject);
		},
	});
	return { json: result };
}

function dataOf({ data }: Record<string, unknown>): AccountData {
	if (isRecord(data)) return data;
	throw responseError("The service's response has no account data");
}

/** An error that the service reports here is about the account. */
function asRefusal(error: unknown): unknown {
	return error instanceof ServiceError && error.facts.kind === 'reported'
		? new ServiceError({ ...error.facts, kind: 'refused' })
		: error;
}
