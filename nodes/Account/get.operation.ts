import type { Operation } from '../shared/run/Operation';
import { requestAccount } from './requestAccount';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	description: "Retrieve the account's name, email address, role, status and balances",
	action: 'Get account',
	fields: [],
	run: async (item) => await requestAccount(item, (data) => data),
};
