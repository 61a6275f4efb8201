import { readErrorResponse } from '../../client/response/errors';

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

test.each([{ code: 7 }, { error: { code: 7 } }, { code: null, error: { code: '7' } }])(
	'the code 7 is read from the error body %j',
	(body) => {
		expect(factsOf({ message: 'No', ...body }).code).toBe(7);
	},
);

test.each([{ code: '20012-b' }, { code: 'E20012' }])('no code is read from the error body %j', (body) => {
	expect(factsOf({ message: 'No', ...body }).code).toBeUndefined();
});

const NOTHING = 'The service responded with status 400 No';

test.each<[body: unknown, message: string]>([
	[{ message: 'No', data: 'model' }, 'No'],
	[{ msg: 'No' }, 'No'],
	[{ error_msg: 'No', error_code: 17 }, 'No'],
	[{ detail: 'No' }, 'No'],
	[{ detail: { status: 'voice_limit_reached', message: 'No' } }, 'No'],
	[{ detail: [{ loc: ['body', 'voice_name'], msg: 'Field required' }] }, 'body.voice_name: Field required'],
	[
		{
			detail: [
				{ loc: ['body', 'items', 0], msg: 'No' },
				{ loc: ['x'], msg: 'Other' },
			],
		},
		'body.items.0: No',
	],
	[{ detail: [{ msg: 'Missing' }] }, 'Missing'],
	[{ error: 'No' }, 'No'],
	[{ error: { errors: [{ message: 'No' }] } }, 'No'],
	[[{ error: { code: 400, message: 'No' } }], 'No'],
	[{ errors: ['No', 'Other'] }, 'No'],
	[{ type: 'about:blank', title: 'No', status: 400 }, 'No'],
	[{ title: 'Bad Request', detail: 'No' }, 'No'],
	[{ message: '', reason: 'No' }, 'No'],
	[{ message: null, error: { message: ' ', reason: 'No' } }, 'No'],
	[{ data: { message: 'No' } }, 'No'],
	[{ error: { details: { message: 'No' } } }, 'No'],
	[{ error: { code: 7, metadata: { raw: { message: 'No' } } }, user_id: 'u' }, 'No'],
	[{ errors: [{ field: 'x' }, { message: 'No' }, { message: 'Later' }] }, 'No'],
	[{ result: [[], [{ first: { message: 'No' } }]], later: { message: 'Later' } }, 'No'],
	[{ message: { text: 'x' }, inner: { message: 'No' } }, 'No'],
	[{ data: { message: ' ' }, inner: { message: 'No' } }, 'No'],
	[{ data: { message: 'Inner' }, reason: 'No' }, 'No'],
	[`{"a":${'['.repeat(20)}{"message":"No"}${']'.repeat(20)}}`, 'No'],
	[`{"detail":${'['.repeat(20)}"No"${']'.repeat(20)}}`, 'No'],
	[{ data: { message: 7 } }, '{"data":{"message":7}}'],
	[{ data: 'No' }, '{"data":"No"}'],
	[{ ok: false }, '{"ok":false}'],
	['"Quoted"', 'Quoted'],
	[
		'<html><head><title>Bad gateway</title></head></html>',
		'Bad gateway (an HTML page, not a response of the service)',
	],
	['<html><h1>No upstream</h1></html>', 'No upstream (an HTML page, not a response of the service)'],
	['<html><body>Oops</body></html>', '(an HTML page, not a response of the service)'],
	['just text', 'just text'],
	[{}, NOTHING],
	[{ code: null, message: '', data: null }, NOTHING],
	[' \n\u200b ', NOTHING],
	['', NOTHING],
])('an error with the body %j has the message "%s"', (body, message) => {
	expect(factsOf(body).message.trim()).toBe(message);
});

test('a 429 names the limit that its message names first, and other errors name none', () => {
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
])('the error of a redirect to %s names %s', (location, host) => {
	const response = { status: 302, statusText: '', header: () => location };
	const { message } = readErrorResponse(response, '', NOW_MS, 'https://host.example/v1');
	expect(message).toBe(`The service redirected to ${host} (302). Redirects are never followed`);
});

test('a date in Retry-After is compared with the Date of the response, not with the clock of this machine', () => {
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

const FIELDS = ['message', 'msg', 'error_msg', 'detail', 'error', 'errors', 'title', 'reason'];

test.each(FIELDS)(
	'the message of an error is the text under "%s" before the text under any later name',
	(name) => {
		const later = FIELDS.slice(FIELDS.indexOf(name) + 1).reverse();
		const others = Object.fromEntries(later.map((field) => [field, `other ${field}`]));
		for (const value of ['No', ['No'], { reason: 'No' }, [{ error: { title: 'No' } }]]) {
			expect(factsOf({ ...others, [name]: value }).message).toBe('No');
		}
	},
);
