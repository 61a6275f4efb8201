import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findProgram } from '../../e2e/findProgram';
import type { StrangeServer } from '../StrangeServer';
import { startProgram } from './startProgram';

const PROGRAMS = ['haproxy', '/usr/sbin/haproxy'];

/** HAProxy in front of the emulator. It either waits for whole requests, or passes them on as they arrive. */
export function haproxy(buffering: 'on' | 'off'): StrangeServer {
	return {
		name: `HAProxy, buffering ${buffering}`,
		serves: { operations: 'all', callsTools: true, streams: 'live' },
		missing: () => (findProgram(...PROGRAMS) === undefined ? 'not installed' : undefined),
		start: async ({ url, apiKey }, folder) =>
			await startProgram(folder, `haproxy-${buffering}`, async (port) => {
				const prefix = join(folder, `haproxy-${buffering}`);
				const file = join(prefix, 'haproxy.cfg');
				await mkdir(prefix);
				await writeFile(file, configuration(port, new URL(url).host, buffering));
				return {
					command: findProgram(...PROGRAMS) ?? '',
					args: ['-f', file, '-db'],
					readyPath: '/v1/user/info',
					basePath: '/v1',
					apiKey,
				};
			}),
	};
}

function configuration(port: number, host: string, buffering: 'on' | 'off'): string {
	return `defaults
	mode http
	timeout connect 5s
	timeout client 60s
	timeout server 60s
	${buffering === 'on' ? 'option http-buffer-request' : 'option http-no-delay'}

frontend nodes
	bind 127.0.0.1:${port}
	default_backend emulator

backend emulator
	server emulator ${host}
`;
}
