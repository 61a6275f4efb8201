import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..');
const E2E = join(ROOT, 'e2e');

/** The machine and the versions, as lines of Markdown. */
export function describeMachine(): string {
	const gigabytes = Math.round(totalmem() / 1024 ** 3);
	return [
		`- Machine: ${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'an unknown model'}, ${gigabytes} GB, ${platform()} ${release()}`,
		`- Node ${process.versions.node} (built-in undici ${process.versions.undici})`,
		`- Engine of all n8n nodes: n8n-core ${versionOf(ROOT, 'n8n-core')}, n8n-workflow ${versionOf(ROOT, 'n8n-workflow')}`,
		`- Peers: undici ${versionOf(ROOT, 'undici')}, n8n-nodes-base ${versionOf(E2E, 'n8n-nodes-base')} (HTTP Request 4.2), @n8n/n8n-nodes-langchain ${versionOf(E2E, '@n8n/n8n-nodes-langchain')} (Anthropic), @anthropic-ai/sdk ${versionOf(E2E, '@anthropic-ai/sdk')}`,
	].join('\n');
}

function versionOf(folder: string, name: string): string {
	const paths = createRequire(join(folder, 'package.json')).resolve.paths(name) ?? [];
	const file = paths.map((path) => join(path, name, 'package.json')).find((path) => existsSync(path));
	return file === undefined
		? '(not installed)'
		: (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
