import { readErrorResponse } from '../client/readErrorResponse';

const NOW_MS = Date.UTC(2026, 0, 5, 12, 0, 0);

function retryAfterOf(value: string | undefined): number | undefined {
	const header = (name: string) => (name === 'retry-after' ? value : undefined);
	const response = { status: 429, statusText: '', header };
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
	['  Mon Jan  5 12:00:10 2026', 10_000],
	['Mon, 05 Jan 2026 13:00:10 +0100', 10_000],
	['Mon, 05 Jan 2026 12:00:10 UTC', 10_000],
	['Mon, 05 Jan 2026 13:00:10 +0100 , 40', 10_000],
])('Retry-After "%s" means %d ms', (value, milliseconds) => {
	expect(retryAfterOf(value)).toBe(milliseconds);
});

test.each([{ code: 7 }, { error: { code: 7 } }, { code: null, error: { code: '7' } }])(
	'the code of an error, from its body or from the error within: %j',
	(body) => {
		const response = { status: 400, statusText: '', header: () => undefined };
		const text = JSON.stringify({ message: 'No', ...body });
		expect(readErrorResponse(response, text, NOW_MS, 'https://host.example').code).toBe(7);
	},
);

test.each([
	[{ data: 'The model is unknown' }, 'The model is unknown'],
	[{ message: 'No', data: '' }, 'No'],
	[{ message: 'No', data: 'The model is unknown' }, 'No: The model is unknown'],
	[{ message: 'No such model', data: 'model' }, 'No such model'],
	[{ error: { message: 'No' }, data: 'The model is unknown' }, 'No: The model is unknown'],
	[{ error: { message: 'No', data: 'The model is unknown' }, data: null }, 'No: The model is unknown'],
])('what the body %j says', (body, message) => {
	const response = { status: 400, statusText: '', header: () => undefined };
	const text = JSON.stringify(body);
	expect(readErrorResponse(response, text, NOW_MS, 'https://host.example')).toMatchObject({ message });
});

test.each([
	['https://other.example/v1', 'other.example'],
	['/v2', 'host.example'],
	['https://', 'https://'],
	['', 'an unnamed host'],
	[undefined, 'an unnamed host'],
])('a redirect to %s names %s', (location, host) => {
	const response = { status: 302, statusText: '', header: () => location };
	const { message } = readErrorResponse(response, '', NOW_MS, 'https://host.example/v1');
	expect(message).toBe(`The service redirected to ${host} (302). Redirects are never followed`);
});

test('a date is compared with the date of the response, whatever time this machine has', () => {
	const headers: Record<string, string> = {
		date: 'Mon, 05 Jan 2026 12:10:00 GMT',
		'retry-after': 'Mon, 05 Jan 2026 12:10:02 GMT',
	};
	const response = { status: 503, statusText: '', header: (name: string) => headers[name] };
	expect(readErrorResponse(response, '', NOW_MS, 'https://host.example').retryAfterMs).toBe(2000);
	headers.date = 'soon';
	expect(readErrorResponse(response, '', NOW_MS, 'https://host.example').retryAfterMs).toBe(602_000);
});

test.each([
	['https://host.example/v1/systemone', true],
	['https://host.example/inference/v2beta/messages', true],
	['https://host.example/systemone', false],
	['https://v1.example/voice/messages', false],
])('whether %s has a version: %s', (url, isVersioned) => {
	const response = { status: 404, statusText: '', header: () => undefined };
	expect(readErrorResponse(response, '', NOW_MS, url)).toMatchObject({ isVersioned });
});

test.each([
	undefined,
	'1'.repeat(16),
	'',
	'-5',
	'soon',
	'7s',
	'7;8',
	'-5, Mon, 05 Jan 2026 12:00:10 GMT',
	'soon, Mon, 05 Jan 2026 12:00:10 GMT',
	'2026-01-05T12:00:10Z',
])('Retry-After "%s" is ignored', (value) => {
	expect(retryAfterOf(value)).toBeUndefined();
});
