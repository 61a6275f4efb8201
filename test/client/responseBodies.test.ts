import { parseResponseJson } from '../../client/response/parseResponseJson';
import { readErrorResponse } from '../../client/response/readErrorResponse';

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
	['Mon, 05 Jan 2026 11:59:00 GMT', 0],
	['Monday, 05-Jan-26 12:00:10 GMT', 10_000],
	['Mon Jan  5 12:00:10 2026', 10_000],
	['  Mon Jan  5 12:00:10 2026', 10_000],
	['Mon, 05 Jan 2026 13:00:10 +0100', 10_000],
	['Mon, 05 Jan 2026 12:00:10 UTC', 10_000],
])('Retry-After "%s" means %d ms', (value, milliseconds) => {
	expect(retryAfterOf(value)).toBe(milliseconds);
});

function factsOf(body: unknown, status = 400) {
	const response = { status, statusText: 'No', header: () => undefined };
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return readErrorResponse(response, text, NOW_MS, 'https://host.example/v1');
}

test.each([
	[7, { code: 7 }],
	[7, { error: { code: 7 } }],
	[7, { code: null, error: { code: '7' } }],
	[undefined, { code: '20012-b' }],
	[undefined, { code: 'E20012' }],
])('the code %s, from the body or from the error within: %j', (code, body) => {
	expect(factsOf({ message: 'No', ...body }).code).toBe(code);
});

const NOTHING = 'The service responded with status 400 No';

test.each<[unknown, string]>([
	[{ data: 'The model is unknown' }, '{"data":"The model is unknown"}'],
	[{ message: 'No', data: '' }, 'No'],
	[{ message: 'No', data: 'The model is unknown' }, 'No'],
	[{ message: 'No such model', data: 'model' }, 'No such model'],
	[{ error: { message: 'No' }, data: 'The model is unknown' }, 'No'],
	[{ detail: 'No such thing' }, 'No such thing'],
	[{ detail: [{ msg: 'Missing' }] }, 'Missing'],
	['<html><h1>No upstream</h1></html>', 'No upstream (an HTML page, not a response of the service)'],
	['<html><body>Oops</body></html>', '(an HTML page, not a response of the service)'],
	['just text', 'just text'],
	[{}, NOTHING],
	[{ code: null, message: '', data: null }, NOTHING],
	[' \n\u200b ', NOTHING],
	['', NOTHING],
])('the body %j says "%s"', (body, message) => {
	expect(factsOf(body).message.trim()).toBe(message);
});

test('only a refusal for a limit names one', () => {
	expect(factsOf({ message: 'TPM must be a number' }).limit).toBeUndefined();
	expect(factsOf({ message: 'TPM limit reached' }, 429).limit).toBe('TPM');
	expect(factsOf({ message: 'TPM of 9 exceeded (RPD is 5)', data: 'RPD' }, 429).limit).toBe('TPM');
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

/** Long enough to be looked at before it is parsed. */
const FILLER = 'x'.repeat(1000);

const nested = (levels: number, [open, close] = ['[', ']']) => open.repeat(levels) + close.repeat(levels);

test.each([
	['two thousand objects side by side', `[${Array(2000).fill('{}').join(',')}]`],
	['a thousand levels', nested(1000)],
	['a thousand levels of objects', `${'{"a":'.repeat(999)}{}${'}'.repeat(999)}`],
	['brackets within a text', JSON.stringify([FILLER, '['.repeat(2000)])],
	['brackets after an escaped quote', JSON.stringify([FILLER, `"${'['.repeat(2000)}`])],
	['brackets after an escaped backslash and a quote', JSON.stringify([FILLER, `\\"${'{'.repeat(2000)}`])],
	['white space before it', ` \n${JSON.stringify([FILLER])}`],
	['a text alone', JSON.stringify('['.repeat(2000))],
])('%s are parsed', (_, text) => {
	expect(parseResponseJson(text)).toEqual({ success: true, value: JSON.parse(text) as unknown });
});

test.each([
	['lists', nested(1001)],
	['objects', `${'{"a":'.repeat(1000)}{}${'}'.repeat(1000)}`],
	['lists behind a text', `["${FILLER}\\\\", ${nested(1000)}]`],
	['lists behind white space', `\n ${nested(1001)}`],
])('%s in more than a thousand levels are not', (_, text) => {
	expect(parseResponseJson(text)).toEqual({
		success: false,
		problem: 'it is nested more than 1000 levels deep',
	});
});

test('a million lists and objects are parsed, and no more', () => {
	const withContainers = (count: number) =>
		`[${Array(count - 1)
			.fill('[]')
			.join(',')}]`;
	expect(parseResponseJson(withContainers(1_000_000))).toMatchObject({ success: true });
	expect(parseResponseJson(withContainers(1_000_001))).toEqual({
		success: false,
		problem: 'it has more than 1000000 lists and objects',
	});
});
