import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/*
 * Run by Node itself, without a loader: prints what it takes to load the nodes of the package in the folder that is the
 * argument, once n8n-workflow is there.
 */

const [, , packageFolder = ''] = process.argv;
const load = createRequire(join(packageFolder, 'package.json'));
const nodesFolder = join(packageFolder, 'dist', 'nodes');
const files = readdirSync(nodesFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith('.node.js'),
);

load('n8n-workflow');
globalThis.gc?.();
const before = process.memoryUsage();
const startedAt = performance.now();
const nodes: unknown[] = [];
for (const file of files) {
	const [exported] = Object.values(load(join(nodesFolder, file)) as Record<string, new () => unknown>);
	if (exported) nodes.push(new exported());
}
const milliseconds = performance.now() - startedAt;
const after = process.memoryUsage();
globalThis.gc?.();
const heap = process.memoryUsage().heapUsed - before.heapUsed;
const megabyte = 1024 * 1024;
process.stdout.write(
	JSON.stringify({
		nodes: nodes.length,
		milliseconds,
		residentMb: (after.rss - before.rss) / megabyte,
		heapMb: heap / megabyte,
	}),
);
