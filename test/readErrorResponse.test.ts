import { readErrorResponse } from '../client/readErrorResponse';

const NOW_MS = Date.UTC(2026, 0, 5, 12, 0, 0);

function retryAfterOf(value: string | undefined): number | undefined {
	const response = { status: 429, statusText: '', header: () => value };
	return readErrorResponse(response, '', NOW_MS, 'https://host.example/v2').retryAfterMs;
}

test.each([
	['7', 7000],
	[' 7 ', 7000],
	['0', 0],
	['1.5', 1500],
	['0.0001', 1],
	['7, 9', 7000],
	['Mon, 05 Jan 2026 12:00:10 GMT', 10_000],
	['  Mon, 05 Jan 2026 12:00:10 GMT', 10_000],
	['Mon, 05 Jan 2026 12:00:10 GMT, Mon, 05 Jan 2026 12:00:40 GMT', 10_000],
	['Mon, 05 Jan 2026 11:59:00 GMT', 0],
	['Monday, 05-Jan-26 12:00:10 GMT', 10_000],
	['Mon Jan  5 12:00:10 2026', 10_000],
	['Mon, 05 Jan 2026 13:00:10 +0100', 10_000],
	['Mon, 05 Jan 2026 12:00:10 UTC', 10_000],
])('Retry-After "%s" means %d ms', (value, milliseconds) => {
	expect(retryAfterOf(value)).toBe(milliseconds);
});

test.each([
	undefined,
	'',
	'-5',
	'soon',
	'7s',
	'7;8',
	'-5, Mon, 05 Jan 2026 12:00:10 GMT',
	'soon, Mon, 05 Jan 2026 12:00:10 GMT',
	'2026-01-05T12:00:10Z',
])('Retry-After "%s" says nothing', (value) => {
	expect(retryAfterOf(value)).toBeUndefined();
});
