import { accountRequest, dataOf, type AccountData } from './accountRequest';
import type { ItemContext } from '../shared/run/ItemContext';
import type { ItemResult } from '../shared/run/Operation';
import { simplify } from '../shared/fields/sharedFields';

/**
 * Asks for the account.
 * @param toColumns makes the output from the account's data; not used when "Simplify" is off
 */
export async function requestAccount(
	item: ItemContext,
	toColumns: (data: AccountData) => object,
): Promise<ItemResult> {
	const isSimple = item.read(simplify);
	const { result } = await item.call(
		accountRequest((account) => {
			const data = dataOf(account);
			return isSimple ? toColumns(data) : account;
		}),
	);
	return { json: result };
}
