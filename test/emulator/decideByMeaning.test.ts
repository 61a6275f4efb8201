import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import type { ChoiceAnswer, NoulAnswer, ScoreAnswer } from '../../contract/types';

// The emulator runs as `npm run emulator` starts it, because the libraries of its model are ES modules, which jest cannot load.

let emulator: ChildProcess;

let url = '';

let apiKey = '';

beforeAll(async () => {
	const main = path.join(__dirname, '../../emulator/main.ts');
	emulator = spawn(process.execPath, ['--import', 'tsx', main], { stdio: ['ignore', 'pipe', 'inherit'] });
	let printed = '';
	for await (const text of emulator.stdout!) {
		printed += String(text);
		if (printed.includes('Ctrl-C')) break;
	}
	url = /Base URL +(\S+)/.exec(printed)![1]!;
	apiKey = /API key +(\S+)/.exec(printed)![1]!;
});

afterAll(async () => {
	emulator.kill();
	await once(emulator, 'exit');
});

const TEAMS = {
	Delivery: 'where is my parcel, late, lost or damaged shipments',
	Returns: 'sending things back, refunds, exchanges',
	Products: 'sizes, materials, availability, advice before buying',
};

async function ask(state: string) {
	const response = await fetch(`${url}/systemone`, {
		method: 'POST',
		headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({
			model: 'Kev-4B',
			state,
			questions: {
				team: { type: 'choice', instructions: 'Which team should answer?', criteria: TEAMS },
				lost: { type: 'noul', instructions: 'Is it about a parcel that did not arrive?' },
				severity: {
					type: 'score',
					instructions: 'How serious is it?',
					criteria: ['asks a question before buying', 'a parcel is late', 'a parcel was stolen'],
				},
			},
		}),
	});
	expect(response.status).toBe(200);
	const { answers } = (await response.json()) as {
		answers: { team: ChoiceAnswer; lost: NoulAnswer; severity: ScoreAnswer };
	};
	return answers;
}

test('the model of the emulator finds the option with the same meaning, although none of its words occurs in the text', async () => {
	expect((await ask("Tracking hasn't moved for five days.")).team.choice).toBe('Delivery');
	expect((await ask('Would a medium fit someone 1.80 tall?')).team.choice).toBe('Products');
});

test('the model of the emulator gives yes a higher probability if the text says so', async () => {
	const [lost, other] = [await ask('My package never came.'), await ask('Is the jacket waterproof?')];
	expect(lost.lost.noul).toBeGreaterThan(0.5);
	expect(other.lost.noul).toBeLessThan(0.5);
});

test('the model of the emulator rates a text by the descriptions of the levels', async () => {
	const [stolen, question] = [
		await ask('A thief took the parcel from my porch.'),
		await ask('Which size should I buy?'),
	];
	expect(stolen.severity.score).toBeGreaterThan(question.severity.score);
});

test('the model of the emulator gives probabilities that add up to one, and equal answers to equal requests', async () => {
	const first = await ask('Where is it?');
	expect(await ask('Where is it?')).toEqual(first);
	for (const { probabilities = {} } of [first.team, first.severity]) {
		const thousandths = Object.values(probabilities).map((probability) => Math.round(probability * 1000));
		expect(thousandths.reduce((sum, share) => sum + share, 0)).toBe(1000);
	}
});
