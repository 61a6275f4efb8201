import {
	compareAnswers,
	mcNemarExact,
	rowsToTell,
	type Comparison,
} from '../nodes/Decision/evaluation/compareAnswers';
import { evaluateRows } from '../nodes/Decision/evaluation/evaluateRows';
import { evaluationPage } from '../nodes/Decision/evaluation/page/evaluationPage';
import type { EvaluatedFields } from '../nodes/Decision/evaluation/evaluatedFields';
import { readRows, type Row } from '../nodes/Decision/evaluation/readRows';

const fields: EvaluatedFields = {
	answerType: 'choice',
	answerField: 'team',
	expectedField: 'expected',
	confidenceField: '',
	ignoreCase: true,
	compareField: 'team_before',
};

describe("McNemar's exact test", () => {
	test.each([
		// R, package exact2x2, vignette "Exact McNemar's Test and Matching Confidence Intervals": mcnemar.exact of 21, 9, 2, 12.
		[2, 9, 0.06543],
		// statsmodels, its own test of mcnemar(exact=True), which has the values from VassarStats.
		[121, 59, 0.000004],
		[70, 59, 0.378688],
		[80, 59, 0.089452],
		[30, 60, 0.00206],
		[10, 30, 0.002221],
		[10, 10, 1],
		// Fagerland, Lydersen and Laake, BMC Medical Research Methodology 13:91 (2013), table 1: 2 binomcdf(1, 8, 0.5).
		[1, 7, 0.070313],
	])('%d against %d, as published', (first, second, pValue) => {
		expect(mcNemarExact(first, second)).toBeCloseTo(pValue, 5);
	});

	test.each([
		// SciPy 1.15: binomtest(first, first + second).pvalue.
		[20, 3, 0.00048828125],
		[5, 0, 0.0625],
		[6, 0, 0.03125],
		[25, 15, 0.1538599441628321],
		[150, 86, 3.7159361395713866e-5],
		[4000, 4200, 0.027972423571324654],
		[60_000, 61_000, 0.00407963758118841],
	])('%d against %d, as SciPy computes it', (first, second, pValue) => {
		expect(mcNemarExact(first, second) / pValue).toBeCloseTo(1, 8);
		expect(mcNemarExact(second, first)).toBe(mcNemarExact(first, second));
	});

	test('is 1 if nothing differs, never above 1, and practically 0 if all differ', () => {
		expect(mcNemarExact(0, 0)).toBe(1);
		expect(mcNemarExact(1, 2)).toBe(1);
		expect(mcNemarExact(0, 2000)).toBe(0);
	});
});

describe('how often two answers are told apart', () => {
	/** The probability of each verdict, where the rows that differ have these probabilities. */
	function verdicts(rows: number, onlyAnswer: number, onlyCompared: number) {
		const logFactorials = [0];
		for (let n = 1; n <= rows; n += 1) logFactorials.push(logFactorials[n - 1]! + Math.log(n));
		const logPart = (count: number, share: number) =>
			(count === 0 ? 0 : count * Math.log(share)) - logFactorials[count]!;
		const chances = { better: 0, worse: 0 };
		for (let gained = 0; gained <= rows; gained += 1) {
			for (let lost = 0; gained + lost <= rows; lost += 1) {
				const chance = Math.exp(
					logFactorials[rows]! +
						logPart(gained, onlyAnswer) +
						logPart(lost, onlyCompared) +
						logPart(rows - gained - lost, 1 - onlyAnswer - onlyCompared),
				);
				if (chance > 1e-10 && mcNemarExact(gained, lost) < 0.05) {
					chances[gained > lost ? 'better' : 'worse'] += chance;
				}
			}
		}
		return chances;
	}

	test.each([
		[0.06, 0.02],
		[0.2, 0.1],
		[0.08, 0],
		[0.6, 0.2],
	])('the rows that are said to show a difference of %d against %d do so in 80% of cases', (gained, lost) => {
		const needed = rowsToTell(gained, lost);
		const { better, worse } = verdicts(needed, gained, lost);
		expect(better).toBeGreaterThan(0.8);
		expect(better).toBeLessThan(lost === 0 ? 0.95 : 0.85);
		expect(worse).toBeLessThan(0.001);
		expect(verdicts(Math.round(needed * 0.7), gained, lost).better).toBeLessThan(0.8);
	});
});

/** Rows in which both answers, one of them or neither is correct. */
function rowsOf({ both = 0, gained = 0, lost = 0, neither = 0 }): Row[] {
	const row = (isRight: boolean, isOtherRight: boolean): Row => ({
		index: 0,
		expected: 'a',
		answer: isRight ? 'a' : 'b',
		confidence: null,
		probability: null,
		compared: isOtherRight ? 'a' : 'b',
	});
	return [
		...Array.from({ length: both }, () => row(true, true)),
		...Array.from({ length: gained }, () => row(true, false)),
		...Array.from({ length: lost }, () => row(false, true)),
		...Array.from({ length: neither }, () => row(false, false)),
	];
}

function items({ both = 0, gained = 0, lost = 0, neither = 0 }): object[] {
	return rowsOf({ both, gained, lost, neither }).map(({ expected, answer, compared }) => ({
		expected,
		team: answer,
		team_before: compared,
	}));
}

describe('the figures', () => {
	test("count which answer is correct in which rows, and call it better or worse than the other field's", () => {
		const figures = compareAnswers(rowsOf({ both: 300, gained: 20, lost: 3, neither: 62 }));
		expect(figures).toMatchObject<Partial<Comparison>>({
			rows: 385,
			incomplete: 0,
			correct: 303,
			accuracy: 303 / 385,
			both_correct: 300,
			only_answer_correct: 20,
			only_compared_correct: 3,
			neither_correct: 62,
			p_value: expect.closeTo(0.000488, 6) as number,
			verdict: 'better',
		});
		expect(compareAnswers(rowsOf({ gained: 3, lost: 20 }))!.verdict).toBe('worse');
		expect(compareAnswers(rowsOf({ gained: 5 }))!.verdict).toBe('cannot tell');
		expect(compareAnswers(rowsOf({ gained: 6 }))!.verdict).toBe('better');
	});

	test('a missing answer counts as wrong, and rows that lack either are counted', async () => {
		const { rows } = await readRows(
			[
				{ expected: 'a', team: 'A ', team_before: 'a' },
				{ expected: 'a', team: 'a' },
				{ expected: 'a', team_before: 'a' },
				{ expected: 'a' },
				{ team: 'a', team_before: 'a' },
			],
			fields,
		);
		expect(compareAnswers(rows)).toMatchObject({
			rows: 4,
			incomplete: 3,
			both_correct: 1,
			only_answer_correct: 1,
			only_compared_correct: 1,
			neither_correct: 1,
		});
	});

	test('probabilities are compared by the yes or no that they mean', async () => {
		const { rows } = await readRows([{ urgent: 0.7, before: 0.4, expected: 'yes' }], {
			...fields,
			answerType: 'noul',
			answerField: 'urgent',
			compareField: 'before',
		});
		expect(compareAnswers(rows)).toMatchObject({ only_answer_correct: 1, both_correct: 0 });
	});

	test('there are none without a field to compare with', async () => {
		expect(
			compareAnswers((await readRows(items({ both: 1 }), { ...fields, compareField: '' })).rows),
		).toBeNull();
	});

	test('a field without an answer that can be read is an error that names it', async () => {
		await expect(readRows(items({ both: 2 }), { ...fields, compareField: 'typo' })).rejects.toThrow(
			'"Compare with Field" (options.compareField) must name a field with other answers, but no row with an expected value has an answer in "typo"',
		);
		const probabilities = [{ urgent: 0.7, before: true, expected: 'yes' }, { before: 0.4 }];
		await expect(
			readRows(probabilities, {
				...fields,
				answerType: 'noul',
				answerField: 'urgent',
				compareField: 'before',
			}),
		).rejects.toThrow('no row with an expected value has a probability from 0 to 1 in "before"');
	});
});

describe('the page', () => {
	async function section(counts: Parameters<typeof items>[0], more: object[] = []): Promise<string[]> {
		const inputs = [...items(counts), ...more];
		const figures = await evaluateRows(await readRows(inputs, fields), {
			answerType: 'choice',
			targetAccuracy: 0.9,
		});
		const [head, first] = evaluationPage(figures, inputs, fields).split('<section>');
		const [finding] = /<h1>.*<\/h1>/.exec(head!)!;
		return (finding + first!.replace(/<h2>.*?<\/h2>/, ''))
			.replace(/<\/?(?:bdi|wbr|b|span)\b[^>]*>/g, '')
			.replace(/<[^>]*>/g, '\n')
			.split(/\s*\n\s*/)
			.filter((line) => line !== '');
	}

	test('says which is better, on what grounds, and how rarely chance does the same', async () => {
		const [finding, reason, ...others] = await section({ both: 300, gained: 20, lost: 3, neither: 62 });
		expect(finding).toBe('“team” is better than “team_before”');
		expect(reason).toBe(
			'“team” is correct in 20 rows where “team_before” is wrong, and wrong in 3 where “team_before” is correct. If the two were equally good, chance alone would cause a difference of this size only once in 2,000 tries.',
		);
		expect(others.slice(0, 12)).toEqual([
			...['“team” is correct', '320 (83%)', '“team_before” is correct', '303 (79%)'],
			...['Both are correct', '300 (78%)', 'Only “team” is correct', '20 (5%)'],
			...['Only “team_before” is correct', '3 (1%)', 'Both are wrong', '62 (16%)'],
		]);
	});

	test('says that it is worse', async () => {
		expect(await section({ both: 100, gained: 0, lost: 90 })).toEqual(
			expect.arrayContaining([
				'“team” is worse than “team_before”',
				expect.stringContaining('only less than once in 1,000,000 tries.'),
			]),
		);
	});

	test('when it cannot tell, says how many more rows it takes', async () => {
		const [finding, reason, advice] = await section({ both: 80, gained: 8, lost: 5, neither: 7 });
		expect(finding).toBe('These rows cannot tell whether “team” is better than “team_before”');
		expect(reason).toContain('a difference of this size 58 times in 100, so this may be chance.');
		// For 0.08 against 0.05: 1,199 rows by the formula, of which 100 exist.
		expect(rowsToTell(0.08, 0.05)).toBe(1199);
		expect(advice).toContain('add about 1,100 rows of the same kind to these 100.');
	});

	test('when there is no difference, says so', async () => {
		expect(await section({ both: 80, gained: 5, lost: 5 })).toEqual(
			expect.arrayContaining([
				'“team” and “team_before” do equally well here',
				'“team” is correct in 5 rows where “team_before” is wrong, and wrong in 5 where “team_before” is correct.',
				'These rows show no difference. Keep the one that is simpler or cheaper.',
			]),
		);
		expect(await section({ both: 80, neither: 1 })).toContain(
			'Both are correct in the same rows, and wrong in the same rows.',
		);
		expect((await section({ both: 900, gained: 501, lost: 500 })).join(' ')).toContain(
			'It would take more than 100,000 rows to see a difference this small.',
		);
		expect((await section({ both: 900, gained: 501, lost: 500 })).join(' ')).toContain('nearly every time.');
	});

	test('says how many rows lack either answer', async () => {
		const [, , , missing] = await section({ both: 10, gained: 2 }, [
			{ expected: 'a', team: 'a' },
			{ expected: 'a', team_before: 'a' },
		]);
		expect(missing).toMatch(
			/^2 rows lack one of the two answers, or both, and a missing answer counts as wrong/,
		);
		expect((await section({ both: 10 })).join(' ')).not.toContain('lack');
	});
});
