import * as fc from 'fast-check';
import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { PublishedWorkflow, type StoredWorkflow } from '../../engine/PublishedWorkflow';
import { credentialTypes, nodeTypes, runNode } from '../support/runNode';
import { testWhere } from '../support/host';
import { useEmulator } from '../support/useEmulator';

const TYPE = 'n8n-nodes-inference-service.accountTrigger';

const CHANGED = { event: 'balanceChanged' };

const emulator = useEmulator();

/** Makes the service return an account with these fields. A field that is undefined is left out. */
function answerWithAccount(data: IDataObject): void {
	emulator.clearFaults();
	const whole = { id: 'user_1', balance: '1.00', chargeBalance: '2.00', totalBalance: '3.00', ...data };
	emulator.answer({ status: true, data: whole }, { path: '/user/info', times: Infinity });
}

interface Published {
	/** Holds the parameters of each trigger, by the trigger's name. */
	triggers?: Record<string, INodeParameters>;
	/** Says whether n8n keeps durable poll cursors. */
	isDurable?: boolean;
	apiKey?: string;
}

function readItem(outputs: INodeExecutionData[][] | null): IDataObject | null {
	if (outputs === null) return null;
	expect(outputs).toEqual([[{ json: expect.anything() }]]);
	return outputs[0]![0]!.json;
}

/** Represents a workflow that n8n polls, which outlives restarts of n8n and changes of the workflow. */
class Polled {
	private readonly stored: StoredWorkflow;

	private published!: PublishedWorkflow;

	constructor(private setting: Published = {}) {
		this.stored = { staticData: '{}', ...(setting.isDurable ? { cursors: {} } : {}) };
		this.restart();
	}

	/** Publishes the workflow anew, as a restart of n8n or a change of the workflow does. */
	restart(changed: Published = {}): void {
		this.setting = { ...this.setting, ...changed };
		this.published = this.begin();
	}

	private begin(mode?: WorkflowExecuteMode): PublishedWorkflow {
		const { triggers = { Trigger: {} }, apiKey = emulator.apiKey } = this.setting;
		return new PublishedWorkflow({
			workflow: {
				nodes: Object.entries(triggers).map(([name, parameters], index) => ({
					id: name,
					name,
					type: TYPE,
					typeVersion: 1,
					position: [0, index * 200],
					parameters,
					credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
				})),
				connections: {},
			},
			nodeTypes,
			credentialTypes,
			credentials: { inferenceServiceApi: { baseUrl: emulator.url, apiKey } },
			stored: this.stored,
			mode,
		});
	}

	async poll(name = 'Trigger'): Promise<IDataObject | null> {
		return readItem(await this.published.poll(name));
	}

	/**
	 * Runs the trigger by hand in the editor, and expects it to leave its static data as it is. n8n would not save them then, but
	 * this depends on n8n.
	 */
	async testRun(): Promise<IDataObject | null> {
		const { staticData, cursors } = this.stored;
		const before = (JSON.parse(staticData) as Record<string, IDataObject>)['node:Trigger'] ?? {};
		const inEditor = this.begin('manual');
		const outputs = await inEditor.poll('Trigger');
		expect({ ...inEditor.polledData }).toEqual(cursors?.Trigger ? JSON.parse(cursors.Trigger) : before);
		return readItem(outputs);
	}

	/** Polls while the service returns this total balance, and returns whether the trigger starts the workflow. */
	async reports(totalBalance: string, name?: string): Promise<boolean> {
		answerWithAccount({ totalBalance });
		return (await this.poll(name)) !== null;
	}

	/** Polls while the service answers with an error, and expects the poll to fail. */
	async expectFailure(): Promise<void> {
		emulator.clearFaults();
		emulator.fault({ path: '/user/info', status: 400, times: Infinity });
		await expect(this.poll()).rejects.toThrow(NodeApiError);
	}

	/**
	 * Takes the steps one after another, and expects a start of the workflow exactly where one is marked.
	 * @param steps Each step is a total balance to poll, with `!` behind it if it must be reported, or `fail` for a poll
	 * that fails, or `restart`.
	 */
	async expectReports(steps: string): Promise<void> {
		const seen: string[] = [];
		for (const step of steps.split(' ')) {
			const total = step.replace('!', '');
			if (step === 'restart') this.restart();
			else if (step === 'fail') await this.expectFailure();
			seen.push(/\d/.test(step) && (await this.reports(total)) ? `${total}!` : total);
		}
		expect(seen.join(' ')).toBe(steps);
	}
}

describe("the trigger's item", () => {
	test('has the columns of Get Balance, the event, and the threshold as a number', async () => {
		answerWithAccount({ totalBalance: '9.990' });
		const { outputs } = await runNode({
			type: 'account',
			parameters: { operation: 'getBalance' },
			service: emulator,
		});
		const { checked_at: _, ...columns } = outputs()[0]![0]!.json;
		expect(await new Polled({ triggers: { Trigger: { threshold: 10.5 } } }).poll()).toEqual({
			checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
			...columns,
			event: 'balanceBelow',
			threshold: 10.5,
		});
	});

	test('has no threshold with Balance Changed', async () => {
		answerWithAccount({});
		const item = await new Polled({ triggers: { Trigger: CHANGED } }).poll();
		expect(item).toMatchObject({ event: 'balanceChanged', total_balance_text: '3.00' });
		expect(item).not.toHaveProperty('threshold');
	});

	test('comes from a single request, GET /user/info', async () => {
		answerWithAccount({});
		await new Polled().poll();
		expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /user/info']);
	});
});

describe('with Balance Below Threshold, the trigger', () => {
	test.each([
		[
			'reports a balance that falls below the threshold, and the next one only after one at or above it',
			'25 9.99! 9.99 12 3! 2 10 9!',
		],
		['reports a balance that is below the threshold at the first poll', '9.99! 9.99'],
		['does not report a balance again because a poll failed', 'fail 9.99! fail 9.98 12 fail 3!'],
		[
			'reports a balance that is below at the first poll after a restart only if it differs from the last one reported',
			'9.99! restart 9.990 9.98 restart 9.98! 9.97',
		],
		[
			'reports a fall after a restart that has made it forget the rise before',
			'25 9.99! 9.99 fail 12 restart 3! 3 fail restart 3 2',
		],
		['reports at the first poll that succeeds after a restart', '9.99! 12 restart fail 3! 2'],
	])('%s', async (_, steps) => await new Polled().expectReports(steps));

	test('remembers over restarts what it reported, and a rise since then, if n8n keeps durable poll cursors', async () => {
		await new Polled({ isDurable: true }).expectReports(
			'9.99! restart 9.98 12 restart 9.99! fail restart 9.97',
		);
	});

	test.each(['9.999', '-0.00'])('reports the balance %s, which is below 10 as a number', async (total) => {
		expect(await new Polled().reports(total)).toBe(true);
	});

	test.each(['10.00', '1e1', '12345678901234567.89'])(
		'does not report the balance %s, which is not below 10 as a number',
		async (total) => {
			expect(await new Polled().reports(total)).toBe(false);
		},
	);

	test('reports again after the threshold changes, but not if it is only spelled differently', async () => {
		const polled = new Polled({ triggers: { Trigger: { threshold: 10 } } });
		expect(await polled.reports('9')).toBe(true);
		polled.restart({ triggers: { Trigger: { threshold: '={{ "10.0" }}' } } });
		expect(await polled.reports('9')).toBe(false);
		polled.restart({ triggers: { Trigger: { threshold: 9.5 } } });
		await polled.expectReports('9! 9');
	});

	test.each([{ balanceField: 'balance' }, { balanceField: 'chargeBalance' }, CHANGED])(
		'reports again after the parameters change to %j',
		async (parameters) => {
			const polled = new Polled();
			answerWithAccount({ balance: '9', chargeBalance: '9', totalBalance: '9' });
			expect(await polled.poll()).not.toBeNull();
			polled.restart({ triggers: { Trigger: parameters } });
			expect(await polled.poll()).toMatchObject({ balance: 9 });
			expect(await polled.poll()).toBeNull();
		},
	);

	test('reports again for another account, but not for another API key of the same account', async () => {
		const polled = new Polled();
		await polled.expectReports('9! 9');
		polled.restart({ apiKey: 'another-key' });
		expect(await polled.reports('9')).toBe(false);
		answerWithAccount({ id: 'user_2', totalBalance: '9' });
		expect(await polled.poll()).toMatchObject({ total_balance: 9 });
		expect(await polled.poll()).toBeNull();
	});

	test.each(['', ' ', null])('takes an account whose ID is %j for the same as before', async (id) => {
		const polled = new Polled();
		await polled.expectReports('9! 9');
		for (const seen of [id, 'user_1']) {
			answerWithAccount({ id: seen, totalBalance: '9' });
			expect(await polled.poll()).toBeNull();
		}
	});

	test('compares the balance that is chosen in Balance', async () => {
		const watching = (balanceField: string) => new Polled({ triggers: { Trigger: { balanceField } } });
		answerWithAccount({ balance: '9', chargeBalance: '11', totalBalance: '20' });
		expect(await watching('balance').poll()).not.toBeNull();
		expect(await watching('chargeBalance').poll()).toBeNull();
		expect(await watching('totalBalance').poll()).toBeNull();
	});
});

describe('with Balance Changed, the trigger', () => {
	test.each([false, true])(
		'reports the first balance and each change (durable poll cursors: %s)',
		async (isDurable) => {
			const polled = new Polled({ triggers: { Trigger: CHANGED }, isDurable });
			await polled.expectReports('5! 5.00 4.99! fail 4.99 restart 4.99 5e0! restart 12! 12.0');
		},
	);

	test('accepts an empty threshold', async () => {
		expect(await new Polled({ triggers: { Trigger: { ...CHANGED, threshold: '' } } }).reports('5')).toBe(
			true,
		);
	});
});

const triggers = { Low: { threshold: 10 }, Empty: { threshold: 1 }, Changes: CHANGED };

test('each trigger in a workflow remembers its own last report', async () => {
	const polled = new Polled({ triggers });
	const log = async (total: string) => {
		const reported: string[] = [];
		for (const name of Object.keys(triggers)) if (await polled.reports(total, name)) reported.push(name);
		return reported;
	};
	expect(await log('25')).toEqual(['Changes']);
	expect(await log('9.99')).toEqual(['Low', 'Changes']);
	expect(await log('0.5')).toEqual(['Empty', 'Changes']);
	expect(await log('0.5')).toEqual([]);
	polled.restart();
	expect(await log('0.5')).toEqual(['Low']);
	expect(await log('5')).toEqual(['Changes']);
	expect(await log('0.4')).toEqual(['Empty', 'Changes']);
});

describe('a test run in the editor', () => {
	test.each<INodeParameters>([{}, { threshold: 1 }, CHANGED])(
		'outputs the present balance each time, with %j',
		async (parameters) => {
			const polled = new Polled({ triggers: { Trigger: parameters } });
			for (const totalBalance of ['25', '25', '9', '9']) {
				answerWithAccount({ totalBalance });
				expect(await polled.testRun()).toMatchObject({ total_balance_text: totalBalance });
			}
		},
	);

	test('outputs a balance that is not a number', async () => {
		answerWithAccount({ totalBalance: 'unlimited' });
		const item = await new Polled().testRun();
		expect(item).toMatchObject({ total_balance: null, total_balance_text: 'unlimited' });
	});

	test.each([false, true])(
		'does not change what the published trigger remembers (durable poll cursors: %s)',
		async (isDurable) => {
			const polled = new Polled({ isDurable });
			expect(await polled.reports('9')).toBe(true);
			answerWithAccount({ totalBalance: '12' });
			expect(await polled.testRun()).toMatchObject({ total_balance: 12 });
			expect(await polled.reports('9')).toBe(false);
		},
	);
});

describe('a poll', () => {
	test.each([
		['totalBalance', undefined, "The service's response has no total balance to compare"],
		['totalBalance', 'unlimited', /total balance .* not a number: "unlimited"/],
		['balance', null, "The service's response has no balance to compare"],
		['chargeBalance', '1,5', /charge balance .* not a number: "1,5"/],
	])('fails if %s is %j', async (balanceField, amount, message) => {
		for (const event of ['balanceBelow', 'balanceChanged']) {
			answerWithAccount({ [balanceField]: amount });
			await expect(new Polled({ triggers: { Trigger: { event, balanceField } } }).poll()).rejects.toThrow(
				message,
			);
		}
	});

	test('retries a 503 up to Max Retries, and then fails with the advice to try again later', async () => {
		emulator.fault({ path: '/user/info', status: 503, times: Infinity });
		const polled = new Polled({ triggers: { Trigger: { options: { maxRetries: 1 } } } });
		await expect(polled.poll()).rejects.toMatchObject({
			name: NodeApiError.name,
			httpCode: '503',
			description: expect.stringMatching(/later/),
			context: { attempts: 2 },
		});
		expect(emulator.requests).toHaveLength(2);
	});

	test('fails with an error that does not mention other requests in flight', async () => {
		emulator.fault({ path: '/user/info', status: 400, times: Infinity });
		await expect(new Polled().poll()).rejects.toMatchObject({
			description: expect.not.stringContaining('aborted'),
		});
	});

	test.each<[INodeParameters, string]>([
		[{ threshold: '={{ "ten" }}' }, '"Threshold" (threshold) must be a number'],
		[{ threshold: '' }, '"Threshold" (threshold) must not be empty'],
		[{ threshold: '={{ "" }}' }, '"Threshold" (threshold) must have a value, but {{ "" }} has none'],
		[{ threshold: '={{ null }}' }, '"Threshold" (threshold) must have a value, but {{ null }} has none'],
	])('fails before it sends a request with %j', async (parameters, message) => {
		const failed = new Polled({ triggers: { Trigger: parameters } }).poll();
		await expect(failed).rejects.toMatchObject({ name: NodeOperationError.name });
		await expect(failed).rejects.toThrow(message);
		expect(emulator.requests).toEqual([]);
	});
});

testWhere('pollBudget')(
	'a poll fails immediately if it would have to wait longer than the five minutes that n8n gives it',
	async () => {
		emulator.fault({ path: '/user/info', times: Infinity, status: 429, headers: { 'retry-after': '301' } });
		const polled = new Polled({ triggers: { Trigger: { options: { maxWait: 3600 } } } });
		await expect(polled.poll()).rejects.toMatchObject({ httpCode: '429' });
		expect(emulator.requests).toHaveLength(1);
	},
);

describe('with random balances, failures and restarts,', () => {
	const step = fc.constantFrom('9.98', '9.99', '9.990', '10', '10.00', '12', '-3', 'fail', 'restart');
	const isBelow = (total: string) => Number(total) < 10;

	interface Poll {
		total: string;
		isReported: boolean;
		starts: number;
	}

	async function pollsOf(steps: string[], isDurable: boolean): Promise<Poll[]> {
		const polled = new Polled({ isDurable });
		const polls: Poll[] = [];
		let starts = 1;
		for (const step of steps) {
			if (step === 'fail') {
				await polled.expectFailure();
			} else if (step === 'restart') {
				polled.restart();
				starts++;
			} else {
				polls.push({ total: step, isReported: await polled.reports(step), starts });
			}
		}
		return polls;
	}

	/** Returns whether the contract requires the last of these polls to report. */
	function mustReport(polls: Poll[], isDurable: boolean): boolean {
		const { total, starts } = polls.at(-1)!;
		const earlier = polls.slice(0, -1);
		const lastReport = earlier.findLast(({ isReported }) => isReported);
		if (!isBelow(total) || !lastReport) return isBelow(total);
		const isKnown = (poll: Poll) => isDurable || poll.starts === starts;
		const sinceReport = earlier.slice(earlier.lastIndexOf(lastReport) + 1).filter(isKnown);
		const isFirst = !isDurable && earlier.at(-1)!.starts !== starts;
		return (
			sinceReport.some((poll) => !isBelow(poll.total)) ||
			(isFirst && Number(lastReport.total) !== Number(total))
		);
	}

	test.each([false, true])(
		'each fall below the threshold is reported exactly once (durable poll cursors: %s)',
		async (isDurable) => {
			await fc.assert(
				fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
					const polls = await pollsOf(steps, isDurable);
					const expected = polls.map((_, index) => mustReport(polls.slice(0, index + 1), isDurable));
					expect(polls.map(({ isReported }) => isReported)).toEqual(expected);
				}),
				{ numRuns: 30 },
			);
		},
		60_000,
	);

	test.each([false, true])(
		'each change of the balance is reported exactly once (durable poll cursors: %s)',
		async (isDurable) => {
			await fc.assert(
				fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
					const polled = new Polled({ triggers: { Trigger: CHANGED }, isDurable });
					let last: number | undefined;
					const expected = steps.map((step) => {
						if (!/\d/.test(step)) return step;
						const isSame = last === Number(step);
						last = Number(step);
						return isSame ? step : `${step}!`;
					});
					if (steps.length > 0) await polled.expectReports(expected.join(' '));
				}),
				{ numRuns: 20 },
			);
		},
		60_000,
	);
});
