import { CONTRACT_FILE, PRISM } from '../paths';
import type { StrangeServer } from '../StrangeServer';
import { startProgram } from './startProgram';

/** Serves the contract's examples, and refuses requests that break the contract. */
export const PRISM_MOCK: StrangeServer = {
	name: 'Prism, static mock',
	serves: { operations: 'all', callsTools: false, streams: 'whole' },
	start: async ({ apiKey }, folder) =>
		await startProgram(folder, 'prism-mock', (port) => ({
			command: process.execPath,
			args: [PRISM, 'mock', CONTRACT_FILE, '--errors', '--host', '127.0.0.1', '--port', String(port)],
			readyPath: '/user/info',
			basePath: '',
			apiKey,
		})),
};

/** In front of the emulator, refuses requests and responses that break the contract. */
export const PRISM_PROXY: StrangeServer = {
	name: 'Prism, validating proxy',
	serves: { operations: 'all', callsTools: true, streams: 'whole' },
	start: async ({ url, apiKey }, folder) =>
		await startProgram(folder, 'prism-proxy', (port) => ({
			command: process.execPath,
			args: [PRISM, 'proxy', CONTRACT_FILE, url, '--errors', '--host', '127.0.0.1', '--port', String(port)],
			readyPath: '/user/info',
			basePath: '',
			apiKey,
		})),
};
