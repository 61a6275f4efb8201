import type { IDataObject } from 'n8n-workflow';

import { accountRequest, dataOf, type AccountData } from '../shared/accountRequest';
import type { ItemContext } from '../shared/ItemContext';
import type { ItemResult } from '../shared/Operation';
import { simplify } from '../shared/sharedFields';

/**
 * Asks for the account.
 * @param toColumns makes the output of the account's data; not used when "Simplify" is off
 */
export async function requestAccount(
	item: ItemContext,
	toColumns: (data: AccountData) => IDataObject,
): Promise<ItemResult> {
	const { result } = await item.call(
		accountRequest((account) => {
			const data = dataOf(account);
			return item.read(simplify) ? toColumns(data) : (account as IDataObject);
		}),
	);
	return { json: result };
}
