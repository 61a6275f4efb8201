import { mayRepeat, type Repeat } from '../client/mayRepeat';
import type { ServiceErrorFacts } from '../client/ServiceError';

const statusFailure = (httpStatus: number): ServiceErrorFacts => ({
	kind: 'status',
	httpStatus,
	message: '',
});

const failure = (kind: 'network' | 'timeout' | 'broken' | 'response'): ServiceErrorFacts => ({
	kind,
	message: '',
});

test.each<[Repeat, number[]]>([
	['always', [408, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]],
	['unless-timed-out', [408, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]],
	['only-if-refused', [503]],
])('%s: a request is repeated after these statuses', (repeat, statuses) => {
	const all = Array.from({ length: 300 }, (_, index) => 300 + index);
	expect(all.filter((status) => mayRepeat(repeat, statusFailure(status), []))).toEqual(statuses);
});

test.each<[Repeat, boolean]>([
	['always', true],
	['unless-timed-out', true],
	['only-if-refused', false],
])('%s: a request that did not get through is repeated each time: %s', (repeat, expected) => {
	expect(mayRepeat(repeat, failure('network'), [failure('network')])).toBe(expected);
});

test('a request for which no connection was made is repeated, whatever its effect', () => {
	const unsent: ServiceErrorFacts = { kind: 'network', message: '', isUnsent: true };
	expect(mayRepeat('only-if-refused', unsent, [unsent])).toBe(true);
});

test.each(['timeout', 'broken'] as const)(
	'after the first %s, only a request that changes nothing is repeated',
	(kind) => {
		const repeats = (repeat: Repeat, ...before: ServiceErrorFacts[]) =>
			mayRepeat(repeat, failure(kind), before);
		expect(repeats('always')).toBe(true);
		expect(repeats('always', failure('network'), statusFailure(503))).toBe(true);
		expect(repeats('always', failure('network'), failure(kind))).toBe(false);
		expect(repeats('unless-timed-out')).toBe(false);
		expect(repeats('only-if-refused')).toBe(false);
	},
);

test('a request is not repeated after a response of the wrong kind', () => {
	expect(mayRepeat('always', failure('response'), [])).toBe(false);
});
