import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeParameters,
} from 'n8n-workflow';

import { InferenceServiceApi } from '../../credentials/InferenceServiceApi.credentials';
import type { Fault } from '../../emulator/Emulator';
import { testCredential } from '../../engine/testCredential';
import { testWhere } from '../support/host';
import { nodeDriver } from '../support/nodeDriver';
import { nodeTypes } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const check = async (data: ICredentialDataDecryptedObject = {}, maxTimeoutMs?: number) =>
	await testCredential(
		Object.values(nodeTypes),
		'inferenceServiceApi',
		{ baseUrl: emulator.url, apiKey: emulator.apiKey, ...data },
		maxTimeoutMs,
	);

const decision = nodeDriver('decision', emulator, { items: [{ text: 'hello' }] });

const asking: INodeParameters = {
	questions: { question: [{ id: 'urgent', instructions: 'Is it urgent?' }] },
	options: { maxRetries: 0 },
};

const decide = async (credential: IDataObject) => await decision.json(asking, { credential });

const errorOf = async (credential: IDataObject) => await decision.error(asking, { credential });

describe('the test of the credential', () => {
	test('succeeds with the right key by requesting the account', async () => {
		expect(await check()).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(emulator.requests).toMatchObject([
			{ method: 'GET', path: '/user/info', headers: { authorization: `Bearer ${emulator.apiKey}` } },
		]);
	});

	test.each<[name: string, fault: Fault, message: RegExp]>([
		['401', { status: 401, body: 'Invalid token' }, /^401: Invalid token\. .*API key/],
		['403', { status: 403, body: 'No' }, /^403: No\. .*permission/],
		['404, there is no list of models either', { status: 404, body: 'No' }, /^404: No\. .*base URL.*\/v1/],
		['429', { status: 429 }, /^429: .*rate limit/i],
		['500', { status: 500 }, /^500: .*Try again/],
		['503', { status: 503 }, /^503: .*later/],
		[
			'a redirect',
			{ status: 302, headers: { location: 'https://elsewhere.example/v1' }, body: '' },
			/^302: The service redirected to elsewhere\.example .*never followed.*new address/,
		],
		[
			'an account whose status is false',
			{ status: 200, body: { code: 1, message: 'frozen', status: false, data: {} } },
			/^The service refused the account: frozen\. Check the account's status/,
		],
		[
			'a response that is no account',
			{ status: 200, body: { hello: 'world' } },
			/^The request succeeded, but the response is not from the service.*base URL/,
		],
		[
			'a web page',
			{ status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' },
			/is not from the service/,
		],
	])(
		'shows the message of the service, and says what to do, if the answer is %s',
		async (_, fault, message) => {
			emulator.fault({ path: '/user/info', ...fault });
			emulator.fault({ path: '/models', status: 404 });
			expect(await check()).toEqual({ status: 'Error', message: expect.stringMatching(message) });
		},
	);

	test.each<[string, Fault]>([
		['as OpenAI does', { status: 200, body: { data: [{ id: 'kev' }] } }],
		['as Kev does', { status: 200, body: { models: [{ name: 'kev' }] } }],
		['as a bare list', { status: 200, body: '[{ "id": "kev" }]' }],
		['in a form that nobody knows', { status: 200, body: {} }],
	])('succeeds on a server without accounts that lists its models %s', async (_, fault) => {
		emulator.fault({ path: '/user/info', status: 404 });
		emulator.fault({ path: '/models', ...fault });
		expect(await check()).toMatchObject({ status: 'OK' });
	});

	test.each(['<html></html>', 'Welcome', '"Welcome"', 'null'])(
		'fails if the list of models is %s',
		async (body) => {
			emulator.fault({ path: '/user/info', status: 404 });
			emulator.answer(body, { path: '/models' });
			expect(await check()).toMatchObject({ status: 'Error', message: expect.stringMatching(/^404: /) });
		},
	);

	test('names the host if it does not exist', async () => {
		const result = await check({ baseUrl: 'https://service.invalid/v1' });
		expect(result.message).toMatch(/^There is no host service\.invalid: check the base URL$|EAI_AGAIN/);
	});

	test('names the address if nothing listens there', async () => {
		expect(await check({ baseUrl: 'http://127.0.0.1:9/v1' })).toEqual({
			status: 'Error',
			message: 'Nothing answers at 127.0.0.1:9: is the server running?',
		});
	});

	test('says that the connection was closed if it breaks before a response', async () => {
		emulator.fault({ path: '/user/info', cut: 'before-headers' });
		expect(await check()).toEqual({ status: 'Error', message: expect.stringMatching(/closed.*base URL/s) });
	});

	test('names the host if it does not answer in time', async () => {
		emulator.fault({ path: '/user/info', delayMs: 500 });
		const { host } = new URL(emulator.url);
		expect(await check({}, 100)).toEqual({
			status: 'Error',
			message: expect.stringMatching(`^${host} did not answer within 30 seconds\\. .*base URL`),
		});
	});

	test('asks for another key if only the list of models refuses it', async () => {
		emulator.fault({ path: '/user/info', status: 404 });
		emulator.fault({ path: '/models', status: 401, body: { detail: 'invalid API key' } });
		const { message } = await check();
		expect(message).toMatch(/^401: invalid API key\. Check the API key/);
	});

	test('shows no part of the key if the message of the service is cut off within the key', async () => {
		for (let length = 130; length < 150; length++) {
			const body = `${'.'.repeat(length)}${emulator.apiKey}`;
			emulator.fault({ path: '/user/info', status: 401, body });
			expect((await check()).message).not.toContain(emulator.apiKey.slice(0, 4));
		}
	});

	test.each([
		['http://127.0.0.1:9', /proxy.*\(.*127\.0\.0\.1:9\)$/],
		['http://proxy.invalid:9', /proxy\.invalid|EAI_AGAIN/],
	])('does not blame the service if HTTP_PROXY is %s, which is down', async (proxy, reason) => {
		process.env.HTTP_PROXY = proxy;
		const { message } = await check().finally(() => delete process.env.HTTP_PROXY);
		expect(message).not.toMatch(/^(Nothing answers|There is no host)/);
		expect(message).toMatch(reason);
	});

	testWhere('protectedCredentialTest')("names n8n's network rules if they block the address", async () => {
		const guard = Container.get(SsrfProtectionConfig);
		guard.enabled = true;
		const { message } = await check().finally(() => (guard.enabled = false));
		expect(message).toMatch(/network rules.*\(.*restricted IP address\)$/);
		expect(emulator.requests).toHaveLength(0);
	});

	test('masks the key in the message of the service', async () => {
		emulator.fault({ path: '/user/info', status: 401, body: `Unknown key ${emulator.apiKey}` });
		const { message } = await check();
		expect(message).toMatch(/^401: Unknown key \*{5}\./);
		expect(message).not.toContain(emulator.apiKey);
	});

	test('sends nothing to a domain that the credential does not allow', async () => {
		const result = await check({ allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com' });
		expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(/allowed domains/) });
		expect(emulator.requests).toHaveLength(0);
	});

	test('names a wrong field, and sends no request', async () => {
		const result = await check({ baseUrl: 'http://service.example/v1' });
		expect(result).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/Base URL.*https.*Allow HTTP/),
		});
	});
});

describe('the base URL', () => {
	test('is trimmed and loses its trailing slashes', async () => {
		expect(await decide({ baseUrl: `  ${emulator.url}//  ` })).toHaveProperty('urgent');
		expect(await check({ baseUrl: `  ${emulator.url}//  ` })).toMatchObject({ status: 'OK' });
		expect(emulator.requests.map(({ path }) => path)).toEqual(['/systemone', '/user/info']);
	});

	test.each([
		['', /must not be empty/],
		['/v1', /absolute URL/],
		['api.example.com/v1', /absolute URL/],
		['ftp://api.example.com/v1', /absolute URL/],
		['https://user:pass@api.example.com/v1', /user name/],
		['https://@api.example.com/v1', /user name/],
		['https://api.example.com/v1?x=1', /query/],
		['https://api.example.com/v1?', /query/],
		['https://api.example.com/v1#x', /fragment/],
		['https://api.example.com/v1#', /fragment/],
		['http://api.example.com/v1', /https:\/\/.*Allow HTTP/],
		['http://127.0.0.1.example.com/v1', /https:\/\/.*Allow HTTP/],
		['http://192.168.0.1/v1', /https:\/\/.*Allow HTTP/],
	])('%j is refused', async (baseUrl, message) => {
		const error = await errorOf({ baseUrl });
		expect(error).toMatchObject({ message: expect.stringMatching(message), attempts: 0 });
		expect(error.message).toContain('Base URL');
		expect(error.description).toMatch(/credential/);
	});

	test.each(['http://localhost:1/v1', 'http://127.0.0.1:1/v1', 'http://127.9.9.9:1/v1', 'http://[::1]:1/v1'])(
		'%s may be plain HTTP: it stays on this machine',
		async (baseUrl) => {
			const error = await errorOf({ baseUrl });
			expect(error.message).not.toContain('Base URL');
			expect(error).toMatchObject({ attempts: expect.any(Number), http_status: null });
		},
	);

	test('is also checked when another node of n8n signs a request with the credential', async () => {
		const { authenticate } = new InferenceServiceApi();
		const sign = authenticate as Extract<IAuthenticate, CallableFunction>;
		const request = { url: 'http://api.example.com/v1/user/info' };
		const credential = { baseUrl: 'http://api.example.com/v1', apiKey: 'key' };
		await expect(sign(credential, request)).rejects.toThrow(/Allow HTTP/);
		const allowed = { ...credential, allowHttp: true };
		await expect(sign(allowed, request)).resolves.toEqual({
			...request,
			headers: { Authorization: 'Bearer key' },
		});
		await expect(sign(credential, request)).rejects.toThrow(/Allow HTTP/);
	});

	test('is put before a relative URL, even one that contains an absolute URL', async () => {
		const { authenticate } = new InferenceServiceApi();
		const sign = authenticate as Extract<IAuthenticate, CallableFunction>;
		const credential = { baseUrl: 'https://api.example.com/v1', apiKey: 'key' };
		for (const url of ['/user/info', '/batches?next=https://api.example.com/v1/batches']) {
			await expect(sign(credential, { url })).resolves.toMatchObject({ url, baseURL: credential.baseUrl });
		}
		for (const url of ['https://api.example.com/v1/user/info', 'HTTPS://api.example.com/v1/user/info']) {
			await expect(sign(credential, { url })).resolves.not.toHaveProperty('baseURL');
		}
	});

	test('may be plain HTTP on other machines with Allow HTTP on', async () => {
		// A host name that ends in `.invalid` has no address, so the test sends nothing to another machine.
		const error = await errorOf({ baseUrl: 'http://service.invalid/v1', allowHttp: true });
		// Older versions of n8n show a sentence instead of the error code.
		expect(error.message).toMatch(/ENOTFOUND|EAI_AGAIN|connection cannot be established|DNS server/);
	});
});

describe('the API key', () => {
	test('is required and hidden', () => {
		const apiKey = { name: 'apiKey', required: true, typeOptions: { password: true } };
		expect(new InferenceServiceApi().properties[1]).toMatchObject(apiKey);
	});

	test.each([
		['', /API Key.*must not be empty/],
		['two words', /API Key.*must not contain/],
		['line\nbreak', /API Key.*must not contain/],
	])('%j is refused', async (apiKey, message) => {
		const error = await errorOf({ apiKey });
		expect(error.message).toMatch(message);
		if (apiKey) expect(JSON.stringify(error)).not.toContain(apiKey);
		expect(emulator.requests).toHaveLength(0);
	});

	test('is trimmed', async () => {
		expect(await decide({ apiKey: ` ${emulator.apiKey}\n` })).toHaveProperty('urgent');
	});
});

test('an expression in the credential gets its value from the first item, for all items', async () => {
	const keys = [emulator.apiKey, 'another-key'];
	await decision.items(asking, {
		items: keys.map((key) => ({ key })),
		credential: { apiKey: '={{ $json.key }}' },
	});
	expect(emulator.requests.map(({ headers }) => headers.authorization)).toEqual(
		keys.map(() => `Bearer ${emulator.apiKey}`),
	);
});

describe("n8n's restriction to allowed domains", () => {
	test('keeps a request to another domain from being sent', async () => {
		const restricted = { allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com' };
		const error = await errorOf(restricted);
		expect(error).toMatchObject({ message: expect.stringMatching(/domain/i), attempts: 0 });
		expect(emulator.requests).toHaveLength(0);
	});

	test('allows nothing when the list is empty', async () => {
		const error = await errorOf({ allowedHttpRequestDomains: 'domains', allowedDomains: ' ' });
		expect(error.message).toMatch(/allowed domains/);
		expect(emulator.requests).toHaveLength(0);
	});

	test('concerns only other nodes when it is "none"', async () => {
		expect(await decide({ allowedHttpRequestDomains: 'none' })).toHaveProperty('urgent');
	});

	test('lets a request to an allowed domain through', async () => {
		expect(
			await decide({ allowedHttpRequestDomains: 'domains', allowedDomains: '127.0.0.1' }),
		).toHaveProperty('urgent');
	});
});

test.each([301, 307])('a %d is never followed, and the key never sent along', async (status) => {
	let reached = 0;
	const elsewhere = createServer((_, response) => {
		reached++;
		response.end('{}');
	}).listen(0, '127.0.0.1');
	await once(elsewhere, 'listening');
	const { port } = elsewhere.address() as AddressInfo;
	emulator.fault({
		times: Infinity,
		status,
		headers: { location: `http://127.0.0.1:${port}/v1/systemone` },
		body: '',
	});
	try {
		const error = await errorOf({});
		expect(error).toMatchObject({
			http_status: status,
			message: expect.stringContaining(`127.0.0.1:${port}`),
			attempts: 1,
		});
		expect(await check()).toMatchObject({ message: expect.stringContaining(`127.0.0.1:${port}`) });
		expect(reached).toBe(0);
	} finally {
		elsewhere.close().closeAllConnections();
	}
});
