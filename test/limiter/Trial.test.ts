import { Trial } from '../../client/limiter/Trial';
import { History } from './History';

const BEGINNING = { fromIndex: 1, afterMs: 1000, startMs: 2000 };

const raise = () => new Trial({ ...BEGINNING, kind: 'raise' });

/** Starts as many requests as the trial has room for, ends them, and tells how many they were. */
function takeStep(trial: Trial, capacity: number, hasPassed = true): number {
	let count = 0;
	for (; trial.hasRoom; count++) trial.requestStarted();
	for (let ended = 0; ended < count; ended++) {
		expect(trial.step(capacity)).toBe(false);
		trial.requestEnded(hasPassed);
	}
	expect(trial.step(capacity)).toBe(true);
	return count;
}

const stepsOf = (trial: Trial, capacity: number, count: number) =>
	Array.from({ length: count }, () => takeStep(trial, capacity));

test('a trial knows its beginning, and the requests that are its own', () => {
	const trial = raise();
	expect(trial).toMatchObject({ kind: 'raise', afterMs: 1000, startMs: 2000 });
	expect(Trial.afterProbe(BEGINNING).kind).toBe('return');
	const requests = new History().start(0, 0, 0);
	expect(requests.map((request) => trial.includes(request))).toEqual([false, true, true]);
});

test('its steps double, up to a fifth of the limit, or half of what got through so far, and two at least', () => {
	expect(stepsOf(raise(), 100, 7)).toEqual([1, 2, 4, 8, 16, 20, 26]);
	expect(stepsOf(raise(), 1, 6)).toEqual([1, 2, 2, 3, 4, 6]);
	expect(stepsOf(raise(), 12, 4)).toEqual([1, 2, 3, 3]);
});

test('after a probe that got through the first step is of two', () => {
	const trial = Trial.afterProbe(BEGINNING);
	expect(trial.total).toBe(1);
	expect(stepsOf(trial, 100, 3)).toEqual([2, 4, 8]);
	expect(trial.total).toBe(15);
});

test('a step is over when all of its requests have started and ended', () => {
	const trial = Trial.afterProbe(BEGINNING);
	trial.requestStarted();
	trial.requestEnded(true);
	expect([trial.step(100), trial.hasRoom]).toEqual([false, true]);
	trial.requestStarted();
	expect([trial.step(100), trial.hasRoom]).toEqual([false, false]);
	trial.requestEnded(true);
	expect([trial.step(100), trial.hasRoom]).toEqual([true, true]);
});

test('what told nothing of the limit does not count as having got through', () => {
	const trial = raise();
	takeStep(trial, 100);
	takeStep(trial, 100, false);
	expect(trial.total).toBe(1);
	takeStep(trial, 100);
	expect(trial.total).toBe(5);
});

test('it is the longest once a hundred requests got through', () => {
	const trial = raise();
	expect(stepsOf(trial, 1000, 6)).toEqual([1, 2, 4, 8, 16, 32]);
	expect([trial.total, trial.isLongest]).toEqual([63, false]);
	trial.total = 99;
	expect(trial.isLongest).toBe(false);
	trial.total = 100;
	expect(trial.isLongest).toBe(true);
});
