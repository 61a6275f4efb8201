import { SlidingWindow } from '../bench/limits/ServiceLimit';
import { CompletionAccumulator, type Completion } from '../client/CompletionAccumulator';
import type { Caller } from '../nodes/shared/http/Caller';
import { generate } from '../nodes/shared/http/generate';
import { FakeClock, FakeService, type Reaction } from './FakeService';

const TOKENS_PER_MINUTE = 5000;

/** Answers are short at first, and then long. */
const tokensOfAnswer = (number: number) => (number < 150 ? 50 : 1000);

const NEVER = new AbortController().signal;

const refused: Reaction = { status: 429, body: JSON.stringify({ message: 'TPM limit reached', data: '' }) };

const tokensOf = ({ usage }: Completion): [number | null, number | null] => {
	const { prompt_tokens: input, completion_tokens: output } = usage as Record<string, number | undefined>;
	return [input ?? null, output ?? null];
};

/**
 * Generates texts, one after the other, with a service that has a limit on tokens, and reports the tokens of each or does
 * not.
 */
async function generateTexts(count: number, doesTell: boolean) {
	const limit = new SlidingWindow({ limit: () => TOKENS_PER_MINUTE });
	let answers = 0;
	const service = new FakeService(new FakeClock(), (_, now) => {
		const tokens = tokensOfAnswer(answers);
		if (!limit.admit(now, tokens)) return refused;
		answers++;
		const usage = doesTell ? { prompt_tokens: tokens - 20, completion_tokens: 20 } : {};
		const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' } }];
		return { body: JSON.stringify({ choices, usage }) };
	});
	const { client, clock } = service;
	const budget = client.newWaitBudget(3_600_000);
	const caller: Caller = {
		signal: NEVER,
		call: async (request) =>
			await client.call(request, { timeoutMs: 60_000, maxRetries: 3, budget, signal: NEVER }),
	};
	const texts: string[] = [];
	const run = async () => {
		while (texts.length < count) {
			const text = await generate(caller, {
				path: '/chat/completions',
				body: { model: 'acme/quick-1', messages: [{ role: 'user', content: 'Hello' }] },
				streamed: false,
				newAccumulator: () => new CompletionAccumulator(),
				tokensOf,
				toResult: (completion): string => String(completion.choices[0]!.message.content),
			});
			texts.push(text);
		}
	};
	await clock.run(run());
	return { texts, refusals: client.refusals, minutes: clock.now() / 60_000 };
}

test('the limiter learns from the tokens of answers how much of a token limit is left', async () => {
	const told = await generateTexts(200, true);
	const untold = await generateTexts(200, false);
	for (const { texts } of [told, untold]) expect(texts).toEqual(Array(200).fill('Hello'));
	// Without reported tokens, the limiter learns from its refusals how much the limit has left, but later.
	expect(told.refusals).toBeLessThan(untold.refusals);
});
