import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { nodeDriver, wrongParameter } from '../support/nodeDriver';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const account = nodeDriver('account', emulator);

const data = {
	id: 'user_7',
	name: 'Ada',
	image: 'https://service.invalid/ada.png',
	email: 'ada@example.com',
	isAdmin: true,
	balance: '0.88',
	status: 'normal',
	introduction: '',
	role: 'user',
	chargeBalance: '88.00',
	totalBalance: '88.88',
};

const answerWithData = (changed: object) =>
	emulator.answer(
		{ code: 20000, message: 'OK', status: true, data: { ...data, ...changed } },
		{ times: Infinity },
	);

async function balanceOf(changed: object, options: IDataObject = {}): Promise<IDataObject> {
	answerWithData(changed);
	return await account.json({ operation: 'getBalance', options } as INodeParameters);
}

/** Returns the field `is_low` that Get Balance outputs for this total balance and this "Low Balance Below". */
async function isLow(totalBalance: unknown, lowBelow: unknown): Promise<unknown> {
	emulator.clearFaults();
	return (await balanceOf({ totalBalance }, { lowBelow } as IDataObject)).is_low;
}

describe('Get', () => {
	test('reads the account once for each item in a newly added node', async () => {
		const { outputs, hint } = await account.run({}, { items: [{ n: 1 }, { n: 2 }] });
		expect(hint()).toBe('');
		expect(outputs()[0]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
			'GET /user/info',
			'GET /user/info',
		]);
		expect(emulator.requests[0]!.rawBody).toHaveLength(0);
	});

	test("outputs every field of the response's data, also undocumented ones", async () => {
		answerWithData({ tier: 'gold' });
		expect(await account.json({})).toEqual({ ...data, tier: 'gold' });
	});

	test.each(['get', 'getBalance'])(
		'outputs the response body unchanged with Simplify off, and so does Get Balance (%s)',
		async (operation) => {
			const body = { code: 20000, message: 'OK', status: true, data, extra: [1] };
			emulator.answer(body, { times: Infinity });
			expect(await account.json({ operation, simplify: false, options: { lowBelow: 1 } })).toEqual(body);
		},
	);

	test("adds the input's fields only with Include Other Input Fields, and the account's fields win", async () => {
		answerWithData({});
		const items = [{ name: 'input', n: 1 }];
		expect(await account.json({}, { items })).not.toHaveProperty('n');
		const json = await account.json({ options: { includeOtherFields: true } }, { items });
		expect(json).toMatchObject({ name: 'Ada', n: 1 });
	});
});

describe('Get Balance', () => {
	test('outputs each balance as a number and as its exact text, and the time of the check', async () => {
		/* eslint-disable no-restricted-syntax -- Nothing is measured: the node tells the date of its check. */
		const before = Date.now();
		const json = await balanceOf({});
		expect(json).toEqual({
			checked_at: expect.any(String),
			balance: 0.88,
			charge_balance: 88,
			total_balance: 88.88,
			balance_text: '0.88',
			charge_balance_text: '88.00',
			total_balance_text: '88.88',
		});
		expect(json.checked_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		const checkedAt = Date.parse(String(json.checked_at));
		expect(checkedAt).toBeGreaterThanOrEqual(before);
		expect(checkedAt).toBeLessThanOrEqual(Date.now());
		/* eslint-enable no-restricted-syntax */
	});

	test.each([
		['12345678901234567.89', 12345678901234567.89],
		['-0.00', 0],
		['0.10', 0.1],
		['-3.5', -3.5],
		['0.000001', 0.000001],
		['1e-7', 1e-7],
	])('outputs the balance %s as text exactly as the service wrote it', async (text, number) => {
		const json = await balanceOf({ balance: text, chargeBalance: text, totalBalance: text });
		expect(json).toMatchObject({ balance_text: text, charge_balance_text: text, total_balance_text: text });
		expect([json.balance, json.charge_balance, json.total_balance]).toEqual([number, number, number]);
	});

	test.each<[string, Array<object>, string]>([
		[
			'a text is no number',
			[{ totalBalance: '1,234.56' }],
			'A balance is null in 1 of 1 item, because the service sent a text that is not a number: look at the columns whose names end in _text.',
		],
		[
			'there is none at all',
			[{}, { balance: null, chargeBalance: undefined, totalBalance: ' ' }],
			'The service sent no balance in 1 of 2 items.',
		],
		['only one is missing', [{ chargeBalance: null }], ''],
	])('gives a hint if no balance can be read: %s', async (_, changes, hint) => {
		for (const changed of changes) emulator.answer({ status: true, data: { ...data, ...changed } });
		expect(await account.hint({ operation: 'getBalance' }, { items: changes.map(() => ({})) })).toBe(hint);
	});

	test('outputs null for a balance that is missing or not a number', async () => {
		const json = await balanceOf({ balance: undefined, chargeBalance: null, totalBalance: 'unlimited' });
		expect(json).toMatchObject({
			balance: null,
			charge_balance: null,
			total_balance: null,
			balance_text: null,
			charge_balance_text: null,
			total_balance_text: 'unlimited',
		});
	});

	test.each([
		'',
		' ',
		'.',
		'-',
		'1,5',
		'1 000',
		'Infinity',
		'NaN',
		'1e',
		'e5',
		'--1',
		'1.2.3',
		'0x10',
		'0b11',
		'0o7',
	])('outputs null for the balance %j, and fails if Low Balance Below is set', async (text) => {
		expect(await balanceOf({ totalBalance: text })).toMatchObject({
			total_balance: null,
			total_balance_text: text,
		});
		answerWithData({ totalBalance: text });
		const { outputs } = await account.run({ operation: 'getBalance', options: { lowBelow: 1 } });
		expect(outputs).toThrow(`"${text}"`);
	});

	test('outputs is_low only if Low Balance Below is set', async () => {
		expect(await balanceOf({})).not.toHaveProperty('is_low');
		expect(await isLow('9.99', 10)).toBe(true);
		expect(await isLow('10.00', 10)).toBe(false);
		expect(await isLow('-0.01', 0)).toBe(true);
	});

	test.each([
		['0.10', 0.1, false],
		['0.09999', 0.1, true],
		['-0.00', 0, false],
		['1e1', 10.5, true],
	])(
		'compares the balance %s with Low Balance Below %s as numbers: is_low is %s',
		async (total, lowBelow, expected) => {
			expect(await isLow(total, lowBelow)).toBe(expected);
		},
	);

	test('refuses a Low Balance Below that is not a number before it sends a request', async () => {
		for (const lowBelow of ['={{ "ten" }}', '={{ [10] }}', '={{ true }}']) {
			const parameters = { operation: 'getBalance', options: { lowBelow } };
			expect(await account.refusal(parameters)).toBe(wrongParameter('options.lowBelow', 'must be a number'));
		}
	});

	test.each([
		['unlimited', /total balance .* not a number: "unlimited"/],
		[undefined, /no total balance/],
	])('fails if Low Balance Below is set and the total balance is %s', async (totalBalance, message) => {
		answerWithData({ totalBalance });
		const { outputs } = await account.run({ operation: 'getBalance', options: { lowBelow: 1 } });
		expect(outputs).toThrow(message);
	});
});

describe('a response with the status false', () => {
	const refusal = { code: 40001, message: 'Account is frozen', status: false, data: null };

	test.each(['get', 'getBalance'])(
		"is an error of %s with the service's message, with Simplify on or off",
		async (operation) => {
			emulator.answer(refusal, { times: Infinity });
			for (const simplify of [true, false]) {
				expect(await account.error({ operation, simplify })).toMatchObject({
					message: 'Account is frozen',
					http_status: 200,
					code: 40001,
				});
			}
		},
	);

	test("is an error with the node's own message if the body has none", async () => {
		emulator.answer({ status: false, message: '' }, { times: Infinity });
		expect((await account.run({})).outputs).toThrow(/reported a failure/);
	});
});

test.each([
	[[], /not a JSON object/],
	[null, /not a JSON object/],
	[{ code: 50001, message: 'Not now' }, /^Not now$/],
	[{ code: 20_000, message: 'Come back later', status: true }, /^Come back later$/],
])(
	'the node Account fails if the response is %j instead of an account, with Simplify on or off',
	async (body, message) => {
		emulator.answer(body, { times: Infinity });
		for (const simplify of [true, false]) {
			expect((await account.error({ simplify })).message).toMatch(message);
		}
	},
);

test.each([{}, { status: true, data: [] }, { status: true, data: 'x' }])(
	'the node Account fails if the response is %j, which has no account data',
	async (body) => {
		emulator.answer(body, { times: Infinity });
		for (const operation of ['get', 'getBalance']) {
			expect((await account.run({ operation })).outputs).toThrow(/no account data/);
		}
	},
);

test('the node Account accepts a response without a status if it has account data', async () => {
	emulator.answer({ code: 20000, message: 'OK', data }, { times: Infinity });
	expect(await account.json({})).toEqual(data);
});
