import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import manifest from '../../package.json';

const FOLDER = join(__dirname, '../../.github');

interface Workflow {
	permissions: object;
	jobs: Record<string, { 'runs-on': string; 'timeout-minutes': number; steps: Step[] }>;
}

interface Step {
	uses?: string;
	run?: string;
}

function read(file: string): unknown {
	return parse(readFileSync(join(FOLDER, file), 'utf8'));
}

const workflows = globSync('workflows/*.yml', { cwd: FOLDER }).sort();

test.each(workflows)(
	'%s may only read the repository, has a time limit, and runs only scripts that exist',
	(file) => {
		const { permissions, jobs } = read(file) as Workflow;
		expect(permissions).toEqual({ contents: 'read' });
		for (const job of Object.values(jobs)) {
			expect(job['timeout-minutes']).toBeGreaterThan(0);
			for (const { uses, run } of job.steps) {
				expect([uses, run].filter((step) => step !== undefined)).toHaveLength(1);
				if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
				for (const [, script] of (run ?? '').matchAll(/npm run ([\w:-]+)/g)) {
					expect(Object.keys(manifest.scripts)).toContain(script);
				}
				for (const [, program] of (run ?? '').matchAll(/((?:tools\/scripts|\.ci)\/[\w.]+)/g)) {
					expect(() => readFileSync(join(FOLDER, '..', program!))).not.toThrow();
				}
			}
		}
	},
);
