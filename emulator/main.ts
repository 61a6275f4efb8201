import { parseArgs } from 'node:util';

import { ACCEPTED_MODELS, Emulator } from './Emulator';

const USAGE = `Usage: npm run emulator -- [options]
  --port N              default 8787
  --host H              default 127.0.0.1
  --key K               the accepted API key, default emulator-key
  --latency MS          milliseconds before each successful response
Rate limits, faults and more are set over HTTP: see addAdminRoutes.ts.`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '8787' },
			host: { type: 'string', default: '127.0.0.1' },
			key: { type: 'string', default: 'emulator-key' },
			latency: { type: 'string', default: '0' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return console.log(USAGE);
	const emulator = await Emulator.start({
		port: Number(values.port),
		host: values.host,
		apiKey: values.key,
		latencyMs: Number(values.latency),
	});
	console.log(`Base URL  ${emulator.url}
API key   ${emulator.apiKey}
Model     ${ACCEPTED_MODELS[0]}

It has no model: it looks for the words of your questions and options. Ctrl-C ends it.`);
	for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void emulator.close());
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
