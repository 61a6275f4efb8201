import { getEventListeners } from 'node:events';

import { onAbort } from '../client/onAbort';

test('all who follow a signal are called, though one of them throws, and a signal is listened to once', () => {
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

test('nothing is left at a signal that nobody follows any more', () => {
	const { signal } = new AbortController();
	const unfollow = [1, 2].map(() => onAbort(signal, () => {}));
	unfollow.forEach((end) => end());
	expect(getEventListeners(signal, 'abort')).toEqual([]);
	onAbort(signal, () => {});
	unfollow.forEach((end) => end());
	expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});
