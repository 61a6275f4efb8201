import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { IDataObject } from 'n8n-workflow';

import { teamOfIntent } from '../../demo/teamOfIntent';
import { readTemplate, runTemplate, valueOf } from '../support/template';
import { useEmulator } from '../support/useEmulator';

// Some of these runs answer hundreds of rows, and a test that is given up sends on into the next one.
jest.setTimeout(60_000);

const emulator = useEmulator({ models: ['vendor/model_name'] });

describe('Improve my question:', () => {
	const messages = parse<{ text: string; category: string }>(
		readFileSync(join(__dirname, '../../demo/customer-messages.csv')),
		{ columns: true },
	);
	const csvOf = (count: number) =>
		stringify(
			messages.slice(0, count).map(({ text, category }) => [text, teamOfIntent(category)]),
			{ header: true, columns: ['message', 'said'] },
		);
	const described = {
		cards: 'A card that is new, lost, stolen, blocked, declined or does not work; PIN and delivery of a card',
		transfers: 'A transfer, payment or refund that is pending, failed, missing, declined or charged twice',
		'top-ups': 'Topping up the account with a card, cash, cheque or bank transfer',
		account: 'Identity, verification, passcode, personal details, age, country, closing the account',
		'exchange and fees': 'Exchange rates, currencies, fees, charges, cash withdrawals and ATMs',
	};
	const names = Object.keys(described);
	const poor = Object.fromEntries(names.map((name, index) => [name, `Number ${index + 1} on our list`]));
	/** Each option has the description of the next one. */
	const swapped = Object.fromEntries(
		names.map((name, index) => [name, Object.values(described)[(index + 1) % names.length]]),
	);

	async function improve(now: object, proposals: unknown[], csv = csvOf(100)) {
		const template = readTemplate('improve-my-question.json');
		const question = { instructions: 'What is the message about?', options: now };
		const asked = template.nodes.find(({ name }) => name === 'My Question')!;
		const { assignments } = (asked.parameters as { assignments: { assignments: IDataObject[] } }).assignments;
		assignments[0]!.value = JSON.stringify(question);
		emulator.setScript(proposals.map((proposal) => ({ text: JSON.stringify(proposal) })));
		const data = Buffer.from(csv).toString('base64');
		return await runTemplate(template, emulator, {
			json: { Messages: 'My file' },
			// n8n makes the name from the label of the field.
			binary: { File__only_for_My_file_: { data, mimeType: 'text/csv', fileName: 'rows.csv' } },
		});
	}

	const sentTo = (path: string) => emulator.requests.filter((request) => request.path === path);

	test.each([
		['better', 'The new descriptions are better', poor, described],
		['worse', 'The new descriptions are worse', described, swapped],
		['equally good', 'It cannot be told', poor, { ...poor, cards: 'Number 1 of our list' }],
	])('says of %s descriptions: "%s"', async (_, title, now, proposed) => {
		const { rowsOf } = await improve(now, [proposed, {}], csvOf(200));
		const [{ page, ...shown } = {}] = rowsOf('Write the Page');
		expect(shown).toMatchObject({ round: 1, title: expect.stringContaining(title) as string });
		for (const text of [...Object.values(now), ...Object.values(proposed)]) expect(page).toContain(text);
		expect(page).toMatch(/p = [01]\.\d{3}/);
		expect(page).toMatch(
			/Tokens: [1-9]\d+ for the old answers, [1-9]\d* for the proposal, [1-9]\d+ for the test/,
		);
	});

	test('keeps the same half of the rows back each time, and sends none of it to the model', async () => {
		const { rowsOf } = await improve(poor, [described, {}]);
		const tested = rowsOf('Ask the New Question').map(({ message }) => String(message));
		expect(tested.length).toBeGreaterThan(40);
		expect(tested.length).toBeLessThan(60);
		const [{ body } = {}] = sentTo('/messages');
		const request = JSON.stringify(body);
		const isSeen = (message: string) =>
			request.includes(JSON.stringify(JSON.stringify(message)).slice(3, -3));
		expect(tested.filter(isSeen)).toEqual([]);
		expect(rowsOf('Keep Half Back').filter(({ message }) => isSeen(String(message))).length).toBeGreaterThan(
			9,
		);
		const again = await improve(poor, [described, {}]);
		expect(again.rowsOf('Ask the New Question').map(({ message }) => message)).toEqual(tested);
	});

	test('says how large a difference must be to be seen', async () => {
		const { rowsOf } = await improve(poor, [described, {}], csvOf(80));
		const [{ page } = {}] = rowsOf('Write the Page');
		const [, rows, points] = /With (\d+) rows, only a difference of about (\d+) points/.exec(String(page))!;
		expect(Number(points)).toBe(Math.ceil(800 / Number(rows)));
	});

	test('says that too few rows look better, if chance may have made the difference', async () => {
		for (const [team, choice] of [
			['team_old', 'account'],
			['team_new', 'cards'],
		] as const) {
			const body = {
				model: 'Kev-4B',
				answers: { [team]: { type: 'choice', choice, confidence: 1 } },
				usage: {},
			};
			emulator.answer(body, { path: '/systemone', bodyIncludes: team, times: Infinity });
		}
		// A quarter of the rows are about cards. The old answers are never right, the new ones always say cards. So in the half that is
		// kept back, about three rows of twelve are right only with the new descriptions, which chance alone may do.
		const lines = Array.from({ length: 24 }, (_, row) => `Message ${row},${row % 4 ? 'top-ups' : 'cards'}`);
		const { rowsOf } = await improve(poor, [described, {}], ['message,said', ...lines].join('\n'));
		const [{ title, page, verdict } = {}] = rowsOf('Write the Page');
		const [, rows] = /With (\d+) rows/.exec(String(page))!;
		expect(verdict).toBe('cannot tell');
		expect(title).toBe(`The new ones look better, but ${rows} rows are too few to be sure`);
	});

	test('stops after three rounds, and tells the model what was tried before', async () => {
		const { path, rowsOf, runsOf } = await improve(poor, [described, swapped, poor], csvOf(60));
		expect(runsOf('Propose Descriptions')).toBe(3);
		expect(path).toContain('Say What Stopped It');
		expect(rowsOf('Say What Stopped It')[0]!.problem).toContain('Three rounds are done');
		const last = JSON.stringify(sentTo('/messages').at(-1)!.body);
		for (const tried of [described, swapped]) expect(last).toContain(tried.cards);
	});

	test.each([
		['no JSON object', [1]],
		['an option too few', { cards: 'x' }],
		['another option', { ...described, more: 'x' }],
		['a renamed option', { ...described, cards: undefined, Cards: 'x' }],
		['no text', { ...described, cards: ' ' }],
		['too much text', { ...described, cards: 'x'.repeat(501) }],
		['a list', { ...described, cards: ['x'] }],
	])('a proposal with %s is not tested', async (_, proposal) => {
		const { path, rowsOf } = await improve(poor, [proposal], csvOf(30));
		expect(path).not.toContain('Ask the New Question');
		expect(String(rowsOf('Say What Stopped It')[0]!.problem)).toContain('did not describe each option');
	});

	test('sends nothing if fewer than 20 rows have a message and an expected option', async () => {
		const csv = `${csvOf(19)}Not an option,else\n,cards\n${messages[0]!.text},cards\n`;
		const { rowsOf } = await improve(poor, [], csv);
		expect(rowsOf('Say What Stopped It')[0]!.problem).toContain('At least 20 are needed');
		expect(emulator.requests).toEqual([]);
	});

	test('names the options of both if the rows have others than the question', async () => {
		const many = Array.from({ length: 25 }, (_, index) => `option ${index + 1}`).join('\nMessage,');
		const { rowsOf } = await improve(poor, [], `message,said\nMessage,${many}\nMessage,${'x'.repeat(50)}\n`);
		const { problem } = rowsOf('Say What Stopped It')[0]!;
		expect(problem).toMatch(
			/^The column "said" has option 1, option 2, .*, option 20, …, but "My Question" has /,
		);
		expect(problem).toContain(`has ${names.join(', ')}. Enter your options there. 0 different rows`);
	});

	test('does not ask for the option that people in the review queue choose when none fits', async () => {
		const { rowsOf } = await improve(poor, [], `${csvOf(10)}Hello,None of these\n`);
		expect(rowsOf('Say What Stopped It')[0]!.problem).toMatch(/^10 different rows/);
	});

	test('the page says how many rows were left out because their answer is no option', async () => {
		const others = 'What a day,weather\nIt rains,<b>\nIt snows,weather\n';
		const { rowsOf } = await improve(poor, [described, {}], csvOf(60) + others);
		expect(String(rowsOf('Write the Page')[0]!.page)).toContain(
			'Rows left out: 3, because “said” is “weather”, “&lt;b&gt;” there',
		);
		const { rowsOf: without } = await improve(poor, [described, {}], csvOf(60));
		expect(String(without('Write the Page')[0]!.page)).not.toContain('left out');
	});

	test.each(['Ask the Old Question', 'Ask the New Question'])(
		'with the ID of %s renamed, nothing is sent, and the page says so',
		async (name) => {
			const template = structuredClone(readTemplate('improve-my-question.json'));
			const { parameters } = template.nodes.find((node) => node.name === name)!;
			parameters.questionsJson = String(parameters.questionsJson).replace('team_', 'department_');
			const { rowsOf } = await runTemplate(template, emulator, { json: { Messages: 'Example rows' } });
			expect(rowsOf('Say What Stopped It')[0]!.problem).toContain(`"${name}" has no question "team_`);
			expect(emulator.requests).toEqual([]);
		},
	);

	test('says when no file was chosen', async () => {
		const template = readTemplate('improve-my-question.json');
		const { path, rowsOf } = await runTemplate(template, emulator, { json: { Messages: 'My file' } });
		expect(path.at(-1)).toBe('Say Which Files Work');
		const [row] = rowsOf('Say Which Files Work');
		const title = async (json: IDataObject) =>
			await valueOf(template, 'Say Which Files Work', 'completionTitle', json);
		expect(await title(row!)).toBe('No file was chosen');
		expect(await title({ problem: 'The file is empty.' })).toBe('This file cannot be used');
	});

	test('when no row can be answered, the page says why, and no proposal is asked for', async () => {
		emulator.fault({ path: '/systemone', status: 401, body: 'Wrong key', times: Infinity });
		const { rowsOf } = await improve(poor, [], csvOf(30));
		expect(rowsOf('Say What Stopped It')[0]!.problem).toContain('No row could be answered: Wrong key');
		expect(sentTo('/messages')).toEqual([]);
	});

	test.each(['Ask the Old Question', 'Propose Descriptions', 'Ask the New Question'])(
		'with Simplify off in %s, nothing is sent, and the error says so',
		async (name) => {
			const template = structuredClone(readTemplate('improve-my-question.json'));
			template.nodes.find((node) => node.name === name)!.parameters.simplify = false;
			const { error } = await runTemplate(template, emulator, { json: { Messages: 'Example rows' } });
			expect(error).toBe(`Turn on "Simplify" in "${name}": later nodes need its columns.`);
			expect(emulator.requests).toEqual([]);
		},
	);

	test('asks for a proposal with the example rows, too', async () => {
		emulator.setScript([]);
		const { path } = await runTemplate(readTemplate('improve-my-question.json'), emulator, {
			json: { Messages: 'Example rows' },
		});
		expect(path).toContain('Propose Descriptions');
	});
});
