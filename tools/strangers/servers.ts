import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { StrangeServer } from './StrangeServer';

const CONTRACT_FILE = join(__dirname, '../..', 'contract', 'openapi.yaml');

/** Node starts the script of the command `prism` directly, so that there is no shell in between. */
const PRISM_FILE = join(__dirname, 'node_modules/@stoplight/prism-cli/dist/index.js');

/** Describes Prism, which refuses requests and responses that break the contract. As a mock, it answers with the contract's examples. */
function prism(command: 'mock' | 'proxy'): StrangeServer {
	return {
		name: `Prism, ${command}`,
		serves: { callsTools: command === 'proxy', streams: 'whole' },
		programs: [process.execPath],
		argumentsFor: (port, emulator) => [
			...[PRISM_FILE, command, CONTRACT_FILE, ...(command === 'proxy' ? [emulator.href] : [])],
			...['--errors', '--host', '127.0.0.1', '--port', String(port)],
		],
		basePath: '',
	};
}

/** Describes nginx, which either buffers whole requests and responses, or passes on each piece immediately. */
function nginx(buffering: 'on' | 'off'): StrangeServer {
	return {
		name: `nginx, buffering ${buffering}`,
		serves: { callsTools: true, streams: buffering === 'on' ? 'whole' : 'live' },
		programs: ['nginx', '/usr/sbin/nginx'],
		argumentsFor: (port, { origin }, folder) => {
			const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
				.map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
				.join('\n\t');
			const configuration = `daemon off;
master_process off;
pid ${join(folder, 'nginx.pid')};
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
			const file = join(folder, 'nginx.conf');
			writeFileSync(file, configuration);
			return ['-c', file, '-p', folder, '-e', join(folder, 'error.log')];
		},
		basePath: '/v1',
	};
}

/** Describes HAProxy, which either waits for whole requests, or passes them on as they arrive. */
function haproxy(buffering: 'on' | 'off'): StrangeServer {
	return {
		name: `HAProxy, buffering ${buffering}`,
		serves: { callsTools: true, streams: 'live' },
		programs: ['haproxy', '/usr/sbin/haproxy'],
		argumentsFor: (port, { host }, folder) => {
			const configuration = `defaults
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
			const file = join(folder, 'haproxy.cfg');
			writeFileSync(file, configuration);
			return ['-f', file, '-db'];
		},
		basePath: '/v1',
	};
}

export const SERVERS = [
	...(['mock', 'proxy'] as const).map(prism),
	...(['on', 'off'] as const).flatMap((buffering) => [nginx(buffering), haproxy(buffering)]),
];
