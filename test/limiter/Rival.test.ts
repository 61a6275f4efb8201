import { MinuteWindow } from '../../client/limiter/MinuteWindow';
import { Outage } from '../../client/limiter/Outage';
import { Rival } from '../../client/limiter/Rival';
import { History } from './History';

/** The rival of a window of sixty requests. */
function newRival(history = new History()): Rival {
	const window = new MinuteWindow(history.usage);
	window.capacity = 60;
	return new Rival(history.usage, window);
}

/** One whose latest request was refused so long after the first. */
function outageOf(lengthMs: number, byHeader = false): Outage {
	const outage = new Outage(0);
	outage.refusedMs = lengthMs;
	outage.byHeader = byHeader;
	return outage;
}

test('without a rate shown, a bucket would give back the window in a minute', () => {
	const rival = newRival();
	expect([rival.hasShownRate, rival.shownPerMs, rival.shareMs]).toEqual([false, 0, 1000]);
	const history = new History('tokens');
	history.take(30, 0);
	expect(newRival(history).shareMs).toBe(30_000);
});

test('the rate shown is what got through in a time', () => {
	const rival = newRival();
	rival.showRate(5, 1000, 2000);
	expect([rival.hasShownRate, rival.shownPerMs, rival.shareMs]).toEqual([true, 0.005, 200]);
	rival.showRate(5, 1000, 1000);
	expect(rival.shownPerMs).toBe(5);
});

describe('it is a window', () => {
	test('where an outage is as long as a bucket would need for two', () => {
		const rival = newRival();
		rival.probeRefused(outageOf(1999));
		expect(rival.isRefuted).toBe(false);
		rival.probeRefused(outageOf(2000));
		expect(rival.isRefuted).toBe(true);
		rival.probeRefused(outageOf(100));
		expect(rival.isRefuted).toBe(true);
	});

	test.each([
		{ refuted: false, byHeader: false, afterMs: 30_000, confirmed: false },
		{ refuted: true, byHeader: false, afterMs: 100, confirmed: true },
		{ refuted: false, byHeader: true, afterMs: 20_000, confirmed: false },
		{ refuted: false, byHeader: true, afterMs: 20_001, confirmed: true },
	])(
		'beyond doubt, $confirmed, if it foretold the return after $afterMs ms, no bucket $refuted, the service too $byHeader',
		({ refuted, byHeader, afterMs, confirmed }) => {
			const rival = newRival();
			rival.isRefuted = refuted;
			const outage = new Outage(5000);
			outage.byHeader = byHeader;
			rival.windowPredicted(outage, 5000 + afterMs);
			expect(rival.isWindowConfirmed).toBe(confirmed);
		},
	);
});

test('a doubt takes back what was sure, and not the rate; what is forgotten is the rate too', () => {
	const rival = newRival();
	rival.showRate(1, 0, 100);
	rival.isRefuted = true;
	rival.isWindowConfirmed = true;
	rival.doubt();
	expect(rival).toMatchObject({ isRefuted: false, isWindowConfirmed: false, hasShownRate: true });
	rival.isRefuted = true;
	rival.forget();
	expect(rival).toMatchObject({ isRefuted: false, hasShownRate: false });
});
