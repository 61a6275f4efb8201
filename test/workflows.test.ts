import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import manifest from '../package.json';

const FOLDER = join(__dirname, '../.github');

interface Workflow {
	name: string;
	on: object;
	permissions: object;
	jobs: Record<string, { 'runs-on': string; 'timeout-minutes': number; steps: Step[] }>;
}

interface Step {
	uses?: string;
	run?: string;
}

interface IssueForm {
	name: string;
	description: string;
	body: Array<{ type: string; id?: string; attributes: object }>;
}

function read(file: string): unknown {
	return parse(readFileSync(join(FOLDER, file), 'utf8'));
}

const workflows = globSync('workflows/*.yml', { cwd: FOLDER }).sort();
const forms = globSync('ISSUE_TEMPLATE/!(config).yml', { cwd: FOLDER }).sort();

test('there are workflows and forms', () => {
	expect(workflows).toHaveLength(3);
	expect(forms).toHaveLength(2);
});

test.each(workflows)(
	'%s asks for the fewest permissions, has a time limit, and runs what there is',
	(file) => {
		const { name, on, permissions, jobs } = read(file) as Workflow;
		expect([typeof name, typeof on]).toEqual(['string', 'object']);
		expect(permissions).toEqual({ contents: 'read' });
		for (const job of Object.values(jobs)) {
			expect(job['timeout-minutes']).toBeGreaterThan(0);
			for (const { uses, run } of job.steps) {
				expect([uses, run].filter((step) => step !== undefined)).toHaveLength(1);
				if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
				for (const [, script] of (run ?? '').matchAll(/npm run ([\w:-]+)/g)) {
					expect(Object.keys(manifest.scripts)).toContain(script);
				}
				for (const [, program] of (run ?? '').matchAll(/((?:scripts|\.ci)\/[\w.]+)/g)) {
					expect(() => readFileSync(join(FOLDER, '..', program!))).not.toThrow();
				}
			}
		}
	},
);

test.each(forms)('%s is a form that GitHub shows', (file) => {
	const { name, description, body } = read(file) as IssueForm;
	expect([name, description].every((text) => text.length > 0)).toBe(true);
	const ids = body.filter(({ type }) => type !== 'markdown').map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	for (const { type, attributes } of body) {
		expect(['markdown', 'dropdown', 'input', 'textarea']).toContain(type);
		expect(Object.keys(attributes)).toContain(type === 'markdown' ? 'value' : 'label');
	}
});
