import { parseArgs } from 'node:util';

import { ACCEPTED_MODELS, Emulator, type EmulatorOptions, type RateLimit } from './Emulator';

const USAGE = `Usage: npm run emulator -- [options]
  --port N              default 8787
  --host H              default 127.0.0.1
  --key K               the accepted API key, default emulator-key
  --latency MS          milliseconds before each successful response
  --token-delay MS      milliseconds between two events of a stream
  --rate-limit R        e.g. 10/s:20 (a bucket that regains 10 a second and holds 20) or 10/s:20:TPM;
                        other kinds of limits over HTTP: see addAdminRoutes.ts
  --no-record           keep no requests (for load)`;

async function main(): Promise<void> {
	let options: EmulatorOptions;
	try {
		options = readOptions();
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
		console.error(`${error.message}\n\n${USAGE}`);
		process.exitCode = 2;
		return;
	}
	const emulator = await Emulator.start(options);
	console.log(`Base URL  ${emulator.url}
API key   ${emulator.apiKey}
Model     ${ACCEPTED_MODELS[0]}

It has no model: it looks for the words of your questions and options. Ctrl-C ends it.`);
	const end = (): void => {
		void emulator.close();
	};
	process.once('SIGINT', end);
	process.once('SIGTERM', end);
}

function numberOf(value: string | undefined, option: string): number | undefined {
	if (value === undefined) return undefined;
	const number = Number(value);
	if (value.trim() === '' || !(number >= 0)) throw new TypeError(`--${option} must be a number of 0 or more`);
	return number;
}

function rateLimitOf(value: string | undefined): RateLimit | undefined {
	if (value === undefined) return undefined;
	const parts = /^(\d+(?:\.\d+)?)\/s:(\d+)(?::(RPM|TPM|IPM|RPD|TPD|IPD))?$/.exec(value);
	if (parts === null) throw new TypeError('--rate-limit must look like 10/s:20');
	return {
		perSecond: Number(parts[1]),
		burst: Number(parts[2]),
		limit: (parts[3] ?? 'RPM') as RateLimit['limit'],
		retryAfter: true,
	};
}

function readOptions(): EmulatorOptions {
	const { values } = parseArgs({
		options: {
			port: { type: 'string' },
			host: { type: 'string' },
			key: { type: 'string' },
			latency: { type: 'string' },
			'token-delay': { type: 'string' },
			'rate-limit': { type: 'string' },
			'no-record': { type: 'boolean', default: false },
		},
	});
	return {
		port: numberOf(values.port, 'port') ?? 8787,
		host: values.host ?? '127.0.0.1',
		apiKey: values.key ?? 'emulator-key',
		latencyMs: numberOf(values.latency, 'latency') ?? 0,
		tokenDelayMs: numberOf(values['token-delay'], 'token-delay') ?? 0,
		rateLimit: rateLimitOf(values['rate-limit']),
		recordRequests: !values['no-record'],
	};
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
