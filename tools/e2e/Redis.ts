import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { findProgram } from './findProgram';
import { freePorts } from '../../test/support/freePorts';
import { ManagedProcess } from './ManagedProcess';

/** Returns the path of the Redis server, or undefined if it is not installed. */
export function findRedis(): string | undefined {
	return findProgram('redis-server');
}

/** Represents a Redis server of its own, which listens on the loopback interface and keeps nothing on disk. */
export class Redis {
	private constructor(
		readonly port: number,
		private readonly process: ManagedProcess,
	) {}

	static async start(program: string, folder: string): Promise<Redis> {
		mkdirSync(folder, { recursive: true });
		const [port] = (await freePorts(1)) as [number];
		const running = new ManagedProcess({
			command: program,
			args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
			cwd: folder,
			env: { PATH: process.env.PATH ?? '' },
			logFile: join(folder, 'redis.log'),
		});
		try {
			await running.waitUntil(async () => await answers(port), 20_000);
		} catch (error) {
			await running.kill();
			throw error;
		}
		return new Redis(port, running);
	}

	async stop(): Promise<void> {
		await this.process.stop();
	}
}

async function answers(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	try {
		const signal = AbortSignal.timeout(1000);
		await once(socket, 'connect', { signal });
		socket.write('PING\r\n');
		const [answer] = (await once(socket, 'data', { signal })) as [Buffer];
		return answer.toString().startsWith('+PONG');
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}
