import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { answerWith } from '../support/answerWith';
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
	answerWith(emulator, { code: 20000, message: 'OK', status: true, data: { ...data, ...changed } });

async function balanceOf(changed: object, options: IDataObject = {}): Promise<IDataObject> {
	answerWithData(changed);
	return await account.json({ operation: 'getBalance', options } as INodeParameters);
}

/** `is_low` for a total balance and a limit. */
async function isLow(totalBalance: unknown, lowBelow: unknown): Promise<unknown> {
	emulator.clearFaults();
	return (await balanceOf({ totalBalance }, { lowBelow } as IDataObject)).is_low;
}

describe('get', () => {
	test('is the operation of a newly added node, and reads the account once for each item', async () => {
		const { outputs, run } = await account.run({}, { items: [{ n: 1 }, { n: 2 }] });
		expect(run.data.resultData.runData.Node![0]!.hints ?? []).toEqual([]);
		expect(outputs()[0]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
			'GET /user/info',
			'GET /user/info',
		]);
		expect(emulator.requests[0]!.rawBody).toHaveLength(0);
	});

	test('gives the fields of data, including those that the document does not show', async () => {
		answerWithData({ tier: 'gold' });
		expect(await account.json({})).toEqual({ ...data, tier: 'gold' });
	});

	test.each(['get', 'getBalance'])('%s gives the body as it came with "Simplify" off', async (operation) => {
		const body = { code: 20000, message: 'OK', status: true, data, extra: [1] };
		answerWith(emulator, body);
		expect(await account.json({ operation, simplify: false, options: { lowBelow: 1 } })).toEqual(body);
	});

	test("passes the input's fields on only when asked to, and its own fields win", async () => {
		answerWithData({});
		const items = [{ name: 'input', n: 1 }];
		expect(await account.json({}, { items })).not.toHaveProperty('n');
		const json = await account.json({ options: { includeOtherFields: true } }, { items });
		expect(json).toMatchObject({ name: 'Ada', n: 1 });
	});
});

describe('getBalance', () => {
	test('gives numbers for a sheet, the exact text next to them, and when they were read', async () => {
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
	});

	test.each([
		['12345678901234567.89', 12345678901234567.89],
		['-0.00', 0],
		['0.10', 0.1],
		['-3.5', -3.5],
		['0.000001', 0.000001],
		['1e-7', 1e-7],
	])('keeps %s as it was written', async (text, number) => {
		const json = await balanceOf({ balance: text, chargeBalance: text, totalBalance: text });
		expect(json).toMatchObject({ balance_text: text, charge_balance_text: text, total_balance_text: text });
		expect([json.balance, json.charge_balance, json.total_balance]).toEqual([number, number, number]);
	});

	test('gives null for what is missing or not a number', async () => {
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

	test.each(['', ' ', '.', '-', '1,5', '1 000', 'Infinity', 'NaN', '1e', 'e5', '--1', '1.2.3'])(
		'gives null for the text %j, and fails when it is to be compared',
		async (text) => {
			expect(await balanceOf({ totalBalance: text })).toMatchObject({
				total_balance: null,
				total_balance_text: text,
			});
			answerWithData({ totalBalance: text });
			const { outputs } = await account.run({ operation: 'getBalance', options: { lowBelow: 1 } });
			expect(outputs).toThrow(`"${text}"`);
		},
	);

	test('says whether the total balance is low only when asked', async () => {
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
	])('compares %s with %s as numbers', async (total, lowBelow, expected) => {
		expect(await isLow(total, lowBelow)).toBe(expected);
	});

	test('refuses a limit that is not a number before anything is sent', async () => {
		for (const lowBelow of ['={{ "ten" }}', '={{ [10] }}', '={{ true }}']) {
			const parameters = { operation: 'getBalance', options: { lowBelow } };
			expect(await account.refusal(parameters)).toBe(wrongParameter('options.lowBelow', 'must be a number'));
		}
	});

	test.each([
		['unlimited', /total balance .* not a number: "unlimited"/],
		[undefined, /no total balance/],
	])('fails rather than call %s not low', async (totalBalance, message) => {
		answerWithData({ totalBalance });
		const { outputs } = await account.run({ operation: 'getBalance', options: { lowBelow: 1 } });
		expect(outputs).toThrow(message);
	});
});

describe('an account that the service refuses', () => {
	const refusal = { code: 40001, message: 'Account is frozen', status: false, data: null };

	test.each(['get', 'getBalance'])('fails %s, with "Simplify" off too', async (operation) => {
		answerWith(emulator, refusal);
		for (const simplify of [true, false]) {
			expect(await account.error({ operation, simplify })).toMatchObject({
				message: 'Account is frozen',
				http_status: 200,
				code: 40001,
			});
		}
	});

	test('is explained when the service gives no reason', async () => {
		answerWith(emulator, { status: false, message: '' });
		expect((await account.run({})).outputs).toThrow(/reported a failure/);
	});
});

test.each([
	[[], /not a JSON object/],
	[null, /not a JSON object/],
	[{ code: 50001, message: 'Not now' }, /^Not now$/],
	[{ code: 20_000, message: 'Come back later', status: true }, /^Come back later$/],
])('%j in place of an account is an error, with "Simplify" off too', async (body, message) => {
	answerWith(emulator, body);
	for (const simplify of [true, false]) expect((await account.error({ simplify })).message).toMatch(message);
});

test.each([{}, { status: true, data: [] }, { status: true, data: 'x' }])(
	'%j has no account data',
	async (body) => {
		answerWith(emulator, body);
		for (const operation of ['get', 'getBalance']) {
			expect((await account.run({ operation })).outputs).toThrow(/no account data/);
		}
	},
);

test('a body without a status is not an error if it has data', async () => {
	answerWith(emulator, { code: 20000, message: 'OK', data });
	expect(await account.json({})).toEqual(data);
});
