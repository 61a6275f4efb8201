import { LatestMap } from '../../nodes/shared/values/LatestMap';

test('beyond its size, a LatestMap drops the value that was set longest ago, however often it was read', () => {
	const latest = new LatestMap<string, number>(2);
	latest.set('a', 1);
	latest.set('b', 2);
	latest.set('a', 3);
	expect(latest.get('b')).toBe(2);
	latest.set('c', 4);
	expect([latest.get('a'), latest.get('b'), latest.get('c')]).toEqual([3, undefined, 4]);
});
