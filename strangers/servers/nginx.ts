import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findProgram } from '../../e2e/findProgram';
import type { StrangeServer } from '../StrangeServer';
import { startProgram } from './startProgram';

const PROGRAMS = ['nginx', '/usr/sbin/nginx'];

/** nginx in front of the emulator. It either buffers what passes, or passes it on immediately. */
export function nginx(buffering: 'on' | 'off'): StrangeServer {
	return {
		name: `nginx, buffering ${buffering}`,
		serves: { operations: 'all', callsTools: true, streams: buffering === 'on' ? 'whole' : 'live' },
		missing: () => (findProgram(...PROGRAMS) === undefined ? 'not installed' : undefined),
		start: async ({ url, apiKey }, folder) =>
			await startProgram(folder, `nginx-${buffering}`, async (port) => {
				const prefix = join(folder, `nginx-${buffering}`);
				const file = join(prefix, 'nginx.conf');
				await mkdir(prefix);
				await writeFile(file, configuration(port, new URL(url).origin, prefix, buffering));
				return {
					command: findProgram(...PROGRAMS) ?? '',
					args: ['-c', file, '-p', prefix, '-e', join(prefix, 'error.log')],
					readyPath: '/v1/user/info',
					basePath: '/v1',
					apiKey,
				};
			}),
	};
}

function configuration(port: number, origin: string, prefix: string, buffering: 'on' | 'off'): string {
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
		.map((kind) => `\t${kind}_temp_path ${join(prefix, kind)};`)
		.join('\n');
	return `daemon off;
master_process off;
pid ${join(prefix, 'nginx.pid')};
events {}
http {
	access_log off;
${temporary}
	server {
		listen 127.0.0.1:${port};
		location / {
			proxy_pass ${origin};
			proxy_http_version 1.1;
			proxy_set_header Connection '';
			proxy_buffering ${buffering};
			proxy_request_buffering ${buffering};
			gzip on;
			gzip_proxied any;
			gzip_min_length 1;
			gzip_types application/json;
		}
	}
}
`;
}
