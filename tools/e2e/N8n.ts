import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { freePorts } from '../../test/support/freePorts';
import { ManagedProcess } from './ManagedProcess';
import { installAsCommunityPackage } from './installAsCommunityPackage';
import { N8N_PROGRAM, NODE_PROGRAM } from './paths';

export interface N8nStart {
	/** Holds the folder in which n8n keeps its user folder and the log. It is created if it does not exist. */
	folder: string;
	tarball: string;
	/** Holds the kind of process: `start`, the default, is a main process. */
	command?: 'start' | 'worker';
	args?: string[];
	/** By default, a free port is used. */
	port?: number;
	/** Holds the environment variables in addition to those that every process gets. */
	env?: Record<string, string>;
}

const MAX_START_MS = 120_000;

// n8n stops if its user folder was written with another key, and in queue mode all processes share one key.
const ENCRYPTION_KEY = 'end-to-end-tests';

/** These variables switch off requests to n8n's servers, and parts of the editor that would be in the way. */
const switchedOff = {
	N8N_AI_ASSISTANT_BASE_URL: '',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
};

/** Represents a process of n8n with the package installed, which listens on the loopback interface. */
export class N8n {
	private constructor(
		/** Holds the address, without a trailing slash. */
		readonly url: string,
		readonly process: ManagedProcess,
	) {}

	/** Starts a process. Resolves when n8n is ready. */
	static async start({ folder, tarball, command = 'start', args = [], port, env }: N8nStart): Promise<N8n> {
		mkdirSync(folder, { recursive: true });
		installAsCommunityPackage(tarball, folder);
		const [freePort, brokerPort] = (await freePorts(2)) as [number, number];
		const url = `http://localhost:${port ?? freePort}`;
		const running = new ManagedProcess({
			command: NODE_PROGRAM,
			args: [N8N_PROGRAM, command, ...args],
			cwd: folder,
			logFile: join(folder, 'n8n.log'),
			env: {
				...fromThisProcess(),
				...switchedOff,
				HOME: folder,
				N8N_USER_FOLDER: folder,
				N8N_ENCRYPTION_KEY: ENCRYPTION_KEY,
				N8N_LISTEN_ADDRESS: '127.0.0.1',
				N8N_PORT: String(port ?? freePort),
				QUEUE_HEALTH_CHECK_PORT: String(port ?? freePort),
				N8N_RUNNERS_BROKER_PORT: String(brokerPort),
				N8N_WEBHOOK_URL: url,
				N8N_EDITOR_BASE_URL: url,
				N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
				N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
				...env,
			},
		});
		const n8n = new N8n(url, running);
		try {
			await running.waitUntil(async () => await n8n.isReady(), MAX_START_MS);
			// n8n starts even if it cannot load a package, so the log is searched for that.
			const problem = /Failed to load package[^]{0,600}/.exec(running.log());
			if (problem) throw new Error(problem[0]);
		} catch (error) {
			await running.kill();
			throw error;
		}
		return n8n;
	}

	async stop(): Promise<void> {
		await this.process.stop();
	}

	private async isReady(): Promise<boolean> {
		try {
			const response = await fetch(`${this.url}/healthz/readiness`, { signal: AbortSignal.timeout(2000) });
			return response.ok;
		} catch {
			return false;
		}
	}
}

function fromThisProcess(): Record<string, string> {
	const { PATH = '', LANG = 'C.UTF-8', TMPDIR } = process.env;
	return { PATH: `${dirname(NODE_PROGRAM)}:${PATH}`, LANG, ...(TMPDIR === undefined ? {} : { TMPDIR }) };
}
