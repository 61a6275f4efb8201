import { Credit } from '../../client/limiter/Credit';
import { MinuteWindow } from '../../client/limiter/MinuteWindow';
import { Outage } from '../../client/limiter/Outage';
import { Rival } from '../../client/limiter/Rival';
import { WindowProbes } from '../../client/limiter/WindowProbes';
import { History, timesFrom } from './History';

interface Situation {
	capacity: number;
	passedMs: number[];
	edge?: { afterMs: number; byMs: number };
	/** First and latest refusal. */
	sinceMs: number;
	refusedMs?: number;
	refusedProbes?: number;
	refusedCount?: boolean;
	/** Whether a probe was refused when places were to come back, or would have if refused requests took them. */
	wasMispredicted?: boolean;
	refusedAreFree?: boolean;
	isExpected?: boolean;
	isConfirmed?: boolean;
	isRefuted?: boolean;
	/** Milliseconds in which the rival has shown to give back a place. */
	shownShareMs?: number;
	/** Without credit for a probe before its time. */
	isPoor?: boolean;
	random?: number;
	now: number;
}

/** When the next probe goes, and what is planned of the outage. */
function plan(situation: Situation) {
	const { sinceMs, refusedMs = sinceMs, shownShareMs } = situation;
	const history = new History();
	const refusals = new Set([sinceMs, refusedMs]);
	for (const atMs of [...situation.passedMs, ...refusals].toSorted((a, b) => a - b)) {
		if (refusals.has(atMs)) history.refuse(atMs);
		else history.pass(atMs);
	}
	if (situation.refusedCount) history.usage.countRefused();
	const window = new MinuteWindow(history.usage);
	Object.assign(window, { capacity: situation.capacity, edge: situation.edge });
	const rival = new Rival(history.usage, window);
	rival.isWindowConfirmed = situation.isConfirmed ?? false;
	rival.isRefuted = situation.isRefuted ?? false;
	if (shownShareMs !== undefined) rival.showRate(1, 0, shownShareMs);
	const credit = new Credit();
	while (situation.isPoor && credit.affordsProbe) credit.pay(0, 0);
	const outage = new Outage(sinceMs, situation.isExpected);
	const { refusedProbes = 0, wasMispredicted = false, refusedAreFree = false } = situation;
	Object.assign(outage, { refusedMs, refusedProbes, wasMispredicted, refusedAreFree, allMs: 1 });
	const probes = new WindowProbes(history.usage, window, rival, credit, () => situation.random ?? 0.5);
	const probeMs = probes.nextProbeMs(outage, situation.now);
	return { probeMs, predictedMs: outage.predictedMs, allMs: outage.allMs };
}

describe('where the number of places is not in doubt', () => {
	const expected = (situation: Omit<Situation, 'isExpected'>) => plan({ ...situation, isExpected: true });

	const full = { capacity: 2, passedMs: [0, 10_000] };

	test.each([
		{ sinceMs: 15_000, now: 15_100 },
		{ sinceMs: 59_900, now: 59_950 },
		{ sinceMs: 15_000, refusedMs: 59_520, now: 59_550 },
	])('the probe goes when the first place comes back, after a refusal at $refusedMs', (situation) => {
		expect(expected({ ...full, ...situation })).toEqual({
			probeMs: 60_020,
			predictedMs: 60_020,
			allMs: undefined,
		});
	});

	test.each([
		// One is due that soon again, and refused requests may have taken others.
		{ sinceMs: 1000, refusedMs: 59_521, allMs: 70_050 },
		{ sinceMs: 1000, refusedMs: 60_000, allMs: 70_050 },
		{ capacity: 4, sinceMs: 15_000, refusedMs: 60_000, allMs: 60_300 },
	])('after a probe that was refused at $refusedMs, those count that refused requests took', (situation) => {
		expect(expected({ ...full, now: 60_010, ...situation })).toEqual({
			probeMs: situation.allMs,
			predictedMs: 60_020,
			allMs: situation.allMs,
		});
	});

	test('refused requests that took none are not counted', () => {
		const situation = { ...full, sinceMs: 1000, refusedMs: 60_000, now: 60_010, refusedAreFree: true };
		expect(expected(situation)).toMatchObject({ probeMs: 74_750, allMs: undefined });
	});

	test.each([
		{ sinceMs: 39_000, refusedMs: 59_000, now: 59_010, probeMs: 64_000 },
		{ sinceMs: 58_000, refusedMs: 59_000, now: 59_010, probeMs: 60_020 },
	])('once a probe was refused when places were to come back, rarer ones go, at $probeMs', (situation) => {
		expect(expected({ ...full, ...situation, wasMispredicted: true }).probeMs).toBe(situation.probeMs);
		expect(expected({ ...full, ...situation }).probeMs).toBe(60_020);
	});

	test.each([
		{ sinceMs: 59_900, refusedMs: 60_000, now: 60_010, gapMs: 500 },
		{ capacity: 4, passedMs: [450, 10_000], sinceMs: 59_900, refusedMs: 60_000, now: 60_010, gapMs: 500 },
		{ capacity: 4, sinceMs: 15_000, refusedMs: 60_000, now: 60_010, refusedCount: true, gapMs: 11_250 },
		{
			...{ capacity: 3, passedMs: [90_200, 90_300], sinceMs: 20_000, refusedMs: 150_000, now: 150_010 },
			...{ refusedCount: true, gapMs: 30_000 },
		},
	])('else they grow rarer, a quarter of the outage after the latest, after $gapMs ms', (situation) => {
		const { gapMs, ...rest } = situation;
		expect(expected({ ...full, ...rest })).toMatchObject({
			probeMs: situation.refusedMs + gapMs,
			allMs: undefined,
		});
	});
});

describe('where an edge is not known exactly', () => {
	const edge = { afterMs: 1000, byMs: 5000 };

	const situation = { capacity: 1, passedMs: [6000], edge, sinceMs: 15_000, now: 20_000, isConfirmed: true };

	test.each([
		{ what: 'in its middle', changes: {}, probeMs: 63_000 },
		{ what: 'in its middle until then', changes: { now: 62_999 }, probeMs: 63_000 },
		{ what: 'at its end after that', changes: { now: 63_000 }, probeMs: 65_020 },
		{ what: 'at its end without credit', changes: { isPoor: true }, probeMs: 65_020 },
		{ what: 'at its end', changes: { edge: { afterMs: 3500, byMs: 5000 } }, probeMs: 65_020 },
		{ what: 'in its middle', changes: { edge: { afterMs: 3499, byMs: 5000 } }, probeMs: 64_249.5 },
		{ what: 'when a place comes back where there is none', changes: { edge: undefined }, probeMs: 66_020 },
	])('the probe goes $what, with $changes', ({ changes, probeMs }) => {
		expect(plan({ ...situation, ...changes }).probeMs).toBe(probeMs);
	});
});

describe('where it may be a bucket', () => {
	// In which a bucket would give back a place each second.
	const window = { capacity: 60, passedMs: timesFrom(0, 60), sinceMs: 100, now: 450 };

	test.each([
		{ what: 'after half a second', changes: {}, probeMs: 600 },
		{ what: 'a tenth earlier', changes: { random: 0 }, probeMs: 550 },
		{ what: 'a tenth later', changes: { random: 1 }, probeMs: 650 },
		{ what: 'then too', changes: { refusedMs: 349 }, probeMs: 600 },
		{ what: 'four times as late', changes: { refusedMs: 350 }, probeMs: 2100 },
		{ what: 'a share and a half later', changes: { shownShareMs: 2000 }, probeMs: 3100 },
		{ what: 'half a second later at least', changes: { shownShareMs: 100 }, probeMs: 600 },
		{ what: 'without credit a share and a half later', changes: { isPoor: true }, probeMs: 1600 },
		{ what: 'once more', changes: { isPoor: true, refusedProbes: 1 }, probeMs: 1600 },
		{ what: 'no more', changes: { isPoor: true, refusedProbes: 2 }, probeMs: 60_020 },
		{ what: 'not', changes: { isPoor: true, isRefuted: true }, probeMs: 60_020 },
		{ what: 'with credit all the same', changes: { isRefuted: true, refusedProbes: 2 }, probeMs: 600 },
		{ what: 'not where it is a window', changes: { isConfirmed: true }, probeMs: 60_020 },
	])('a probe goes early: $what, with $changes', ({ changes, probeMs }) => {
		expect(plan({ ...window, ...changes }).probeMs).toBeCloseTo(probeMs, 6);
	});

	test('none goes a minute later', () => {
		const late = { capacity: 1, passedMs: [30], sinceMs: 0, now: 100, isPoor: true };
		expect(plan({ ...late, shownShareMs: 39_999 }).probeMs).toBe(59_998.5);
		expect(plan({ ...late, shownShareMs: 40_000 }).probeMs).toBe(60_050);
	});

	test.each([
		{ what: 'a little after', changes: {}, probeMs: 60_700 },
		{ what: 'at', changes: { now: 60_000 }, probeMs: 90_020 },
		{ what: 'without credit not after', changes: { isPoor: true }, probeMs: 90_020 },
		{
			what: 'at the known edge, not after',
			changes: { edge: { afterMs: 29_000, byMs: 29_500 } },
			probeMs: 89_520,
		},
		{ what: 'not after', changes: { isConfirmed: true }, probeMs: 90_020 },
	])("a probe goes $what the turn of the clock's minute, with $changes", ({ changes, probeMs }) => {
		const situation = { capacity: 60, passedMs: timesFrom(30_000, 60), sinceMs: 30_100 };
		expect(plan({ ...situation, refusedMs: 50_000, now: 50_100, ...changes }).probeMs).toBe(probeMs);
	});
});
