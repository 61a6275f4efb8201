import assert from 'node:assert/strict';

import type { Emulator } from '../../emulator/Emulator';
import type { ClientTrial } from '../ClientTrial';

const MODEL = 'Kev-4B';

/** TypeSafe's SDK on /systemone. Known differences are listed here with their reasons, so that a change is noticed. */
export const TYPESAFE_TRIALS: ClientTrial[] = [
	{
		title: 'TypeSafe SDK: a question of each type',
		run: async (emulator) => {
			const { client, choice, noul, score } = await sdkFor(emulator);
			const { answers, usage } = await client.systemOne({
				state: { message: 'My card was stolen, please help me now!' },
				questions: {
					urgent: noul('Is the message urgent?'),
					team: choice('Which team?', { cards: 'Cards and PINs', transfers: 'Bank transfers' }),
					upset: score('How upset is the customer?', ['calm', 'annoyed', 'furious']),
				},
			});
			assert.ok(answers.urgent.noul > 0.5);
			assert.equal(answers.team.choice, 'cards');
			assert.equal(Object.keys(answers.upset.probabilities).length, 3);
			assert.ok(usage.input_tokens > 0);
		},
	},
	{
		title: 'TypeSafe SDK: an error names its status',
		run: async (emulator) => {
			const { client, noul } = await sdkFor(emulator, 'wrong');
			await assert.rejects(client.systemOne({ state: 'x', questions: { a: noul('Is it?') } }), {
				status: 401,
			});
		},
	},
	{
		title: 'TypeSafe SDK: waits out a rate limit',
		run: async (emulator) => {
			emulator.setRateLimit({
				kind: 'fixed-window',
				startsAt: 'first-request',
				max: 1,
				windowMs: 700,
				limit: 'RPM',
				retryAfter: true,
			});
			const { client, noul } = await sdkFor(emulator);
			const request = { state: 'x', questions: { a: noul('Is it?') } };
			await client.systemOne(request);
			await client.systemOne(request);
			assert.deepEqual(
				emulator.requests.map(({ status }) => status),
				[200, 429, 200],
			);
		},
	},
	...(
		[
			['a criterion that is null', "the service's document says text", { b: null, c: 'The rest' }, 'x'],
			['a state that is null', "the service's document says text, object or list", { b: '', c: '' }, null],
		] as const
	).map(([what, reason, criteria, state]): ClientTrial => ({
		title: `TypeSafe SDK: known to differ, ${what} is refused (${reason})`,
		run: async (emulator) => {
			const { client, choice } = await sdkFor(emulator);
			const asked = client.systemOne({ state, questions: { a: choice('Which?', criteria) } });
			await assert.rejects(asked, { status: 400 });
		},
	})),
	{
		title:
			'TypeSafe SDK: known to differ, it finds no request ID (the service answers with x-service-trace-id, its own name for it)',
		run: async (emulator) => {
			const { client, noul } = await sdkFor(emulator);
			const asked = client.systemOne({ state: 'x', questions: { a: noul('Is it?') } });
			assert.equal((await asked.withResponse()).requestId, undefined);
		},
	},
];

async function sdkFor({ url, apiKey }: Emulator, key = apiKey) {
	const { TypeSafeClient, choice, noul, score } = await import('@typesafe-ai/sdk');
	// The SDK adds /v1 to the address itself.
	const client = new TypeSafeClient({
		baseURL: url.replace(/\/v1$/, ''),
		apiKey: key,
		defaultModel: MODEL,
		logLevel: 'off',
	});
	return { client, choice, noul, score };
}
