import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePorts } from '../../test/support/freePorts';
import { ManagedProcess } from './ManagedProcess';

const VERSIONS_FOLDER = '/usr/lib/postgresql';

const USER = 'n8n';
const PASSWORD = 'only-for-this-run';

/** Returns the folder with the programs of the newest version, or undefined if PostgreSQL is not installed. */
export function findPostgres(): string | undefined {
	if (!existsSync(VERSIONS_FOLDER)) return undefined;
	return readdirSync(VERSIONS_FOLDER)
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => join(VERSIONS_FOLDER, version, 'bin'))
		.find((folder) => existsSync(join(folder, 'initdb')));
}

/** Represents a PostgreSQL server of its own, which listens on the loopback interface. */
export class Postgres {
	private constructor(
		readonly port: number,
		private readonly process: ManagedProcess,
	) {}

	/** Holds the environment variables that make n8n use this server. */
	get n8nVariables(): Record<string, string> {
		return {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(this.port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_PASSWORD: PASSWORD,
		};
	}

	static async start(programs: string, folder: string): Promise<Postgres> {
		const owner = ownerOfServer();
		mkdirSync(folder, { recursive: true });
		const passwordFile = join(folder, 'password');
		writeFileSync(passwordFile, PASSWORD);
		for (const path of [folder, passwordFile]) {
			chmodSync(path, 0o700);
			if (owner) chownSync(path, owner.uid, owner.gid);
		}
		const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' };
		const data = join(folder, 'data');
		execFileSync(
			join(programs, 'initdb'),
			[
				...['--pgdata', data, '--username', USER, '--pwfile', passwordFile],
				...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-sync'],
			],
			{ cwd: folder, env, timeout: 60_000, stdio: ['ignore', 'ignore', 'inherit'], ...owner },
		);
		const [port] = (await freePorts(1)) as [number];
		const running = new ManagedProcess({
			command: join(programs, 'postgres'),
			args: [
				...['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'],
				...['-c', 'unix_socket_directories=', '-c', 'fsync=off'],
			],
			cwd: folder,
			env,
			logFile: join(folder, 'postgres.log'),
			// This signal makes PostgreSQL shut down without waiting for its clients.
			stopSignal: 'SIGINT',
			...owner,
		});
		try {
			await running.waitUntil(async () => await Promise.resolve(isReady(programs, port)), 30_000);
		} catch (error) {
			await running.kill();
			throw error;
		}
		return new Postgres(port, running);
	}

	async stop(): Promise<void> {
		await this.process.stop();
	}
}

/** PostgreSQL refuses to run as root. So if this process is root, it runs as the user that its package has created. */
function ownerOfServer(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const idOf = (kind: '-u' | '-g') =>
		Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8', timeout: 5000 }));
	return { uid: idOf('-u'), gid: idOf('-g') };
}

function isReady(programs: string, port: number): boolean {
	try {
		execFileSync(join(programs, 'pg_isready'), ['--host', '127.0.0.1', '--port', String(port)], {
			stdio: 'ignore',
			timeout: 5000,
		});
		return true;
	} catch {
		return false;
	}
}
