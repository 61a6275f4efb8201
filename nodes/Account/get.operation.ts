import type { AccountData } from '../shared/http/accountRequest';
import type { Operation } from '../shared/run/Operation';
import { requestAccount } from './requestAccount';

/** Every simplified account has these fields, even if the service leaves some out. */
const EMPTY_ACCOUNT = {
	id: null,
	name: null,
	image: null,
	email: null,
	isAdmin: null,
	balance: null,
	status: null,
	introduction: null,
	role: null,
	chargeBalance: null,
	totalBalance: null,
} satisfies Record<keyof AccountData, null>;

export const get: Operation = {
	value: 'get',
	name: 'Get',
	description: "Retrieve the account's name, email address, role, status and balances",
	action: 'Get account',
	fields: [],
	run: async (item) => await requestAccount(item, (data) => ({ ...EMPTY_ACCOUNT, ...data })),
};
