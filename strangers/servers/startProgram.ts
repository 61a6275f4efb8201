import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { freePorts } from '../../e2e/freePorts';
import { ManagedProcess } from '../../e2e/ManagedProcess';
import type { RunningServer } from '../StrangeServer';

const READY_WITHIN_MS = 60_000;

/** A program that listens on a port. */
export interface Program {
	command: string;
	args: string[];
	/** A path that it serves once it is ready, whatever the status. */
	readyPath: string;
	/** What comes before the service's paths. */
	basePath: string;
	apiKey: string;
}

/** Starts a program on a free port of the loopback interface, and waits until it responds. */
export async function startProgram(
	folder: string,
	name: string,
	programAt: (port: number) => Program | Promise<Program>,
): Promise<RunningServer> {
	const [port = 0] = await freePorts(1);
	const { command, args, readyPath, basePath, apiKey } = await programAt(port);
	const program = new ManagedProcess({
		command,
		args,
		env: process.env as Record<string, string>,
		cwd: folder,
		logFile: join(folder, `${name.replaceAll(/\W+/g, '-')}.log`),
	});
	const origin = `http://127.0.0.1:${port}`;
	try {
		await program.waitUntil(async () => await responds(origin + readyPath), READY_WITHIN_MS);
	} catch (error) {
		await program.kill();
		throw error;
	}
	return { url: origin + basePath, apiKey, stop: async () => await program.stop() };
}

async function responds(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
		await response.arrayBuffer();
		return true;
	} catch {
		await setTimeout(100);
		return false;
	}
}
