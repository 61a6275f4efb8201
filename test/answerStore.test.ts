import fc from 'fast-check';

import { AnswerStore, type KeptAnswer } from '../client/answers/AnswerStore';
import { RunAnswers, type Reuse } from '../client/answers/RunAnswers';
import { ExecutionBudget, WaitBudget } from '../client/limiter/WaitBudget';

const HOUR_MS = 3_600_000;

const BY_HAND = { run: undefined, isByHand: true };

function storeAt(beginMs: number) {
	const time = { nowMs: beginMs };
	const store = new AnswerStore(() => time.nowMs);
	const keep = (id: string, answer: Partial<KeptAnswer> = {}) =>
		store.keep(id, { json: '{}', endedMs: time.nowMs, ...answer });
	const isKept = (id: string, taker: Parameters<AnswerStore['find']>[1] = BY_HAND) =>
		store.find(id, taker) !== undefined;
	return { time, store, keep, isKept };
}

test('an answer is kept for an hour, however often it is taken', () => {
	const { time, store, keep, isKept } = storeAt(0);
	keep('a');
	time.nowMs = HOUR_MS - 1;
	expect(isKept('a')).toBe(true);
	time.nowMs = HOUR_MS;
	expect(isKept('a')).toBe(false);
	expect(store.size).toBe(0);
});

test('of more than 10,000 answers the oldest go first', () => {
	const { store, keep, isKept } = storeAt(0);
	for (let index = 0; index < 10_010; index++) keep(String(index));
	expect(store.size).toBe(10_000);
	expect([isKept('9'), isKept('10')]).toEqual([false, true]);
});

test('of more than 32 MiB the oldest go first, even if 200 workflows fail at the same time', () => {
	const { store, keep, isKept } = storeAt(0);
	for (let workflow = 0; workflow < 200; workflow++) {
		for (let item = 0; item < 40; item++) keep(`${workflow} ${item}`, { json: 'x'.repeat(10_000) });
	}
	// A character may take two bytes.
	expect(store.size).toBeLessThanOrEqual((32 * 1024 * 1024) / 20_000);
	expect(store.size).toBeGreaterThan(1500);
	expect([isKept('0 0'), isKept('199 39')]).toEqual([false, true]);
	expect(
		isKept('too large') || (keep('too large', { json: 'x'.repeat(17 * 1024 * 1024) }), isKept('too large')),
	).toBe(false);
});

test('an answer that is kept again stays for an hour from then', () => {
	const { time, keep, isKept } = storeAt(0);
	keep('a');
	keep('b');
	time.nowMs = HOUR_MS / 2;
	keep('a');
	time.nowMs = HOUR_MS;
	expect([isKept('a'), isKept('b')]).toEqual([true, false]);
});

test('an answer of a run that continued is only for its own tries and for runs that a person starts', () => {
	const { keep, isKept } = storeAt(0);
	keep('a', { onlyForRun: '1' });
	expect(isKept('a', { run: '1', isByHand: false })).toBe(true);
	expect(isKept('a', { run: '2', isByHand: false })).toBe(false);
	expect(isKept('a', { run: undefined, isByHand: false })).toBe(false);
	expect(isKept('a', { run: '2', isByHand: true })).toBe(true);
});

const parts = fc.constantFrom('', 'a', 'aa', '"', '","', '\n', 'a\n', '/systemone');

const asker = fc.record({
	workflowId: parts,
	nodeId: parts,
	baseUrl: parts,
	apiKey: parts,
	path: parts,
	json: fc.oneof(parts, fc.constant('x'.repeat(2000)), fc.constant('x'.repeat(2001))),
});

const reuse: Reuse<unknown> = { bodyOf: (result) => result, read: (body) => body };

test('no answer ever crosses a workflow, a node, a URL, a key, a path or a body', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(asker, { minLength: 2, maxLength: 12 }), async (askers) => {
			const store = new AnswerStore(Date.now);
			for (const one of askers) {
				const { workflowId, nodeId, baseUrl, apiKey, path, json } = one;
				const answers = new RunAnswers({
					store,
					owner: [workflowId, nodeId],
					run: () => undefined,
					isByHand: false,
					shares: true,
					keepsAlways: true,
				});
				const policy = {
					timeoutMs: 1,
					maxRetries: 0,
					budget: new WaitBudget(new ExecutionBudget(), 0),
				};
				const question = await answers.ask(reuse, { path, json, credential: { baseUrl, apiKey }, policy });
				if (question.answered) expect(question.answered.result).toEqual(one);
				else question.settle({ result: one });
				await answers.end('succeeded');
			}
		}),
	);
});
