import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import manifest from '../package.json';
import { headingAnchors } from '../scripts/headingAnchors';
import { nodeTypes, readErrorItem, runNode } from './runNode';
import { useEmulator } from './useEmulator';

const ROOT = join(__dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The JSON of the code block whose first line is "```json <label>". */
function example(label: string): IDataObject {
	const block = new RegExp('^```json ' + label + '\\n(.*?)^```$', 'ms').exec(README);
	if (!block) throw new Error(`The README has no JSON example labelled "${label}"`);
	return JSON.parse(block[1]!) as IDataObject;
}

const emulator = useEmulator();

test('every JSON example is one of those run here', () => {
	const labels = [...README.matchAll(/^```json(.*)$/gm)].map(([, label]) => label!.trim());
	expect(labels).toEqual(['questions', 'answers', 'error']);
});

test('the example of questions gives the columns of the example of answers', async () => {
	const answers = example('answers');
	const { message } = answers;
	const { outputs } = await runNode({
		type: 'decision',
		parameters: { questionsSource: 'json', questionsJson: JSON.stringify(example('questions')) },
		items: [{ message: message! }],
		service: emulator,
	});
	const { json } = outputs()[0]![0]!;
	expect(Object.keys(json)).toEqual(Object.keys(answers));
	const types = (columns: IDataObject) => Object.values(columns).map((value) => typeof value);
	expect(types(json)).toEqual(types(answers));
});

test('the example of an error has the fields of every error item', async () => {
	const { error } = readErrorItem(example('error'));
	emulator.fault({ status: error.http_status!, times: Infinity, headers: { 'retry-after': '0' } });
	const { outputs } = await runNode({
		type: 'decision',
		parameters: { questions: { question: [{ id: 'urgent', instructions: 'Is it urgent?' }] } },
		items: [{ message: 'hello' }],
		onError: 'continueErrorOutput',
		service: emulator,
	});
	const failed = readErrorItem(outputs()[1]![0]!.json).error;
	for (const field of ['http_status', 'code', 'limit', 'attempts', 'item_index'] as const) {
		expect([field, failed[field]]).toEqual([field, error[field]]);
	}
	expect(failed.description).toContain(error.description!.replace('…', '').trim());
});

test('every command is a script of the package', () => {
	const commands = [...README.matchAll(/npm (?:run (\S+?)|(start|test))(?=[\s`])/g)].map(
		([, run, plain]) => run ?? plain!,
	);
	expect(commands.length).toBeGreaterThan(3);
	for (const command of commands) expect(Object.keys(manifest.scripts)).toContain(command);
});

describe('the link', () => {
	const targets = [...README.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!);
	const headings = targets.filter((target) => target.startsWith('#'));
	const files = targets.filter((target) => !/^(#|https?:)/.test(target));

	test.each(headings)('%s leads to a heading', (target) => {
		expect(headingAnchors(README).map((anchor) => `#${anchor}`)).toContain(target);
	});

	test.each(files)('%s leads to a file', (target) => {
		expect(existsSync(join(ROOT, target))).toBe(true);
	});
});

test('the defaults in the table of shared options are those of the nodes', () => {
	const defaultOf = (type: string, name: string) =>
		nodeTypes[`n8n-nodes-inference-service.${type}`]!.description.properties.find(
			(property) => property.name === 'options',
		)!
			.options!.filter((option) => 'default' in option)
			.find((option) => option.name === name)!.default;
	const row = (label: string) =>
		new RegExp(`^\\| ${label.replace(/[()]/g, '\\$&')} +\\|.*\\| (.*?) +\\|$`, 'm').exec(README)![1];
	expect(row('Concurrency')).toBe(
		`Decision ${defaultOf('decision', 'concurrency')}, Message ${defaultOf('message', 'concurrency')}, others ${defaultOf('voice', 'concurrency')}`,
	);
	expect(row('Max Retries')).toBe(String(defaultOf('account', 'maxRetries')));
	expect(row('Max Wait (Seconds)')).toBe(String(defaultOf('batch', 'maxWait')));
	expect(row('Timeout (Milliseconds)')).toBe(
		`${defaultOf('decision', 'timeout')}, Message ${defaultOf('message', 'timeout')}`,
	);
});
