import { Outage } from '../../client/limiter/Outage';
import { History } from './History';

test('an outage begins with a refusal, and the next probe may go at once', () => {
	const outage = new Outage(1000);
	expect(outage).toMatchObject({
		...{ sinceMs: 1000, refusedMs: 1000, lengthMs: 0, nextStartMs: 1000, refusedProbes: 0 },
		...{ isExpected: false, byHeader: false, notBeforeMs: -Infinity, predictedMs: Infinity },
	});
	expect(new Outage(0, true).isExpected).toBe(true);
});

test('there is one probe at a time', () => {
	const outage = new Outage(1000);
	const probe = new History().refuseOne(3000);
	outage.probe = probe;
	expect(outage.nextStartMs).toBe(Infinity);
	outage.probeRefused(probe);
	expect(outage).toMatchObject({ refusedProbes: 1, refusedMs: 3000, lengthMs: 2000, nextStartMs: 1000 });
});

test.each([
	{ what: 'when it is planned', probeMs: 5000, now: 2000, heldMs: [], nextMs: 5000 },
	{ what: 'not in the past', probeMs: 1000, now: 2000, heldMs: [], nextMs: 2000 },
	{ what: 'not before the service said', probeMs: 5000, now: 2000, heldMs: [6000], nextMs: 6000 },
	{
		what: 'not before the latest that it said',
		probeMs: 5000,
		now: 2000,
		heldMs: [9000, 6000],
		nextMs: 9000,
	},
])('the next probe goes $what', ({ probeMs, now, heldMs, nextMs }) => {
	const outage = new Outage(0);
	for (const untilMs of heldMs) outage.holdBack(untilMs);
	outage.plan(probeMs, now);
	expect(outage.nextStartMs).toBe(nextMs);
});
