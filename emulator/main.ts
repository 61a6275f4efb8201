import { parseArgs } from 'node:util';

import { decideByMeaning } from './decideByMeaning';
import { ACCEPTED_MODELS, Emulator } from './Emulator';

const USAGE = `Usage: npm run emulator -- [--port N]

Starts the emulator alone, on a free port unless one is given.`;

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 0 || port > 65_535) {
		throw new TypeError('--port must be a port number');
	}
	const emulator = await Emulator.start({ decide: decideByMeaning, port, recordRequests: false });
	console.log(`Base URL  ${emulator.url}
API key   ${emulator.apiKey}
Models    Kev-4B (decisions), ${ACCEPTED_MODELS[0]} (messages and chats)

A small model on this machine answers decisions. Messages and chats are made up.
Neither says anything about the real service. Press Ctrl-C to end it.`);
}

main().catch((error: unknown) => {
	const isUsage = error instanceof TypeError;
	console.error(isUsage ? `${error.message}\n\n${USAGE}` : error);
	process.exitCode = isUsage ? 2 : 1;
});
