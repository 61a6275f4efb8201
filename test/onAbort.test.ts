import { getEventListeners } from 'node:events';

import { onAbort } from '../client/onAbort';

test('all callbacks of a signal are called even if one throws, and they share one listener', () => {
	const stop = new AbortController();
	const called: string[] = [];
	const unfollow = onAbort(stop.signal, () => called.push('gone'));
	onAbort(stop.signal, () => {
		called.push('first');
		throw new Error('of the first');
	});
	onAbort(stop.signal, () => called.push('second'));
	unfollow();
	const [listener, ...others] = getEventListeners(stop.signal, 'abort');
	expect(others).toEqual([]);
	expect(() => (listener as () => void)()).toThrow('of the first');
	expect(called).toEqual(['first', 'second']);
});

test('a signal without callbacks has no listener left', () => {
	const { signal } = new AbortController();
	const unfollow = [1, 2].map(() => onAbort(signal, () => {}));
	unfollow.forEach((end) => end());
	expect(getEventListeners(signal, 'abort')).toEqual([]);
	onAbort(signal, () => {});
	unfollow.forEach((end) => end());
	expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});
