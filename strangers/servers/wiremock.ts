import { globSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'yaml';

import { findProgram } from '../../e2e/findProgram';
import { CONTRACT_FILE, WIREMOCK_FOLDER } from '../paths';
import type { StrangeServer } from '../StrangeServer';
import { startProgram } from './startProgram';

const DRIBBLE = { numberOfChunks: 7, totalDuration: 70 };

/** Serves the contract's examples from Jetty, each in seven chunks. */
export const WIREMOCK: StrangeServer = {
	name: 'WireMock, examples in chunks',
	serves: { operations: 'all', callsTools: false, streams: 'whole' },
	missing: () => {
		if (findProgram('java') === undefined) return 'no java';
		return jar() === undefined ? 'no WireMock' : undefined;
	},
	start: async ({ apiKey }, folder) => {
		const root = join(folder, 'wiremock');
		await mkdir(join(root, 'mappings'), { recursive: true });
		await writeFile(join(root, 'mappings', 'examples.json'), JSON.stringify({ mappings: mappings(apiKey) }));
		return await startProgram(folder, 'wiremock', (port) => ({
			command: 'java',
			args: [
				...['-jar', jar() ?? '', '--bind-address', '127.0.0.1', '--port', String(port)],
				...['--root-dir', root, '--disable-banner', '--no-request-journal'],
			],
			readyPath: '/__admin/health',
			basePath: '/v1',
			apiKey,
		}));
	},
};

function jar(): string | undefined {
	return globSync(join(WIREMOCK_FOLDER, 'wiremock-standalone-*.jar'))[0];
}

interface Contract {
	paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, Content> }> }>>;
}

interface Content {
	example?: unknown;
}

function mappings(apiKey: string): object[] {
	const { paths } = parse(readFileSync(CONTRACT_FILE, 'utf8')) as Contract;
	return Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, { responses }]) => ({
			request: {
				method: method.toUpperCase(),
				urlPathTemplate: `/v1${path}`,
				headers: { Authorization: { equalTo: `Bearer ${apiKey}` } },
			},
			response: {
				status: 200,
				headers: { 'Content-Type': 'application/json' },
				body: JSON.stringify(responses['200']?.content['application/json']?.example),
				chunkedDribbleDelay: DRIBBLE,
			},
		})),
	);
}
