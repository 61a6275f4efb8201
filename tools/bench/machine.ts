import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/** Describes the machine and the versions of Node and n8n, as lines of Markdown. */
export function describeMachine(): string {
	const gigabytes = Math.round(totalmem() / 1024 ** 3);
	return [
		`- Machine: ${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'an unknown model'}, ${gigabytes} GB, ${platform()} ${release().replace(/-.*/, '')}, Node ${process.versions.node}`,
		`- n8n-core ${versionOf('n8n-core')}, n8n-nodes-base ${versionOf('tools/e2e/node_modules/n8n-nodes-base')} (HTTP Request 4.2)`,
	].join('\n');
}

function versionOf(module: string): string {
	const file = join(ROOT, module.includes('/') ? module : `node_modules/${module}`, 'package.json');
	return existsSync(file)
		? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
		: '(not installed)';
}
