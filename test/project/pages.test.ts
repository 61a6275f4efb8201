import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { parse } from 'yaml';

import { ACCEPTED_MODELS } from '../../emulator/Emulator';
import manifest from '../../package.json';
import { headingAnchors } from '../support/headingAnchors';
import { nodeTypes, readErrorItem, runNode } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';

const ROOT = join(__dirname, '../..');

const PAGES = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })].sort();

/** A page describes the parameters of these nodes. */
const NODES_OF_PAGES: Record<string, string[]> = {
	'docs/chatModel.md': ['chatModel'],
	'docs/decision.md': ['decision'],
	'docs/evaluate.md': ['decision'],
	'docs/message.md': ['message'],
	'docs/route.md': ['decision'],
	'docs/other-nodes.md': ['account', 'accountTrigger', 'batch', 'voice'],
};

/** The pages docs/every-node.md and docs/paid-once.md describe the parameters that several nodes share. */
const SHARED_OPTIONS = [
	'Concurrency',
	'Description',
	'Include Other Input Fields',
	'Max Retries',
	'Max Wait (Seconds)',
	'Reuse Answers',
	'Simplify',
	'Timeout (Milliseconds)',
	'Token Budget',
	'Tool Description',
];

/** The pages use this model name for one that the reader chooses. */
const MODEL_OF_PAGES = 'vendor/model_name';

interface Example {
	/** Holds the text after "```json" on the first line of the block. */
	label: string;
	json: IDataObject;
}

function read(page: string): string {
	return readFileSync(join(ROOT, page), 'utf8');
}

function examplesOf(page: string): Example[] {
	return [...read(page).matchAll(/^```json([^\n]*)\n(.*?)^```$/gms)].map(([, label, code]) => ({
		label: label!.trim(),
		json: JSON.parse(code!) as IDataObject,
	}));
}

/** Lists the examples with these labels, each with its page first. */
function examplesOfAll(...labels: string[]): Array<[page: string, ...json: IDataObject[]]> {
	return PAGES.flatMap((page) => {
		const examples = examplesOf(page);
		const found = labels.map((label) => examples.find((example) => example.label === label)?.json);
		return found.every((json) => json !== undefined) ? [[page, ...found] as [string, ...IDataObject[]]] : [];
	});
}

function shapeOf(value: unknown): unknown {
	if (Array.isArray(value)) return 'list';
	if (typeof value !== 'object' || value === null) return typeof value;
	return Object.entries(value).map(([name, below]) => [name, shapeOf(below)]);
}

const emulator = useEmulator();

test('docs/undocumented.md lists every assumption of the contract', () => {
	const page = read('docs/undocumented.md').replaceAll('`', '');
	const assumptions = valuesOf(parse(read('contract/openapi.yaml')), 'x-assumption');
	expect(assumptions.length).toBeGreaterThan(10);
	expect(assumptions.filter((assumption) => !page.includes(assumption.trim()))).toEqual([]);
});

test.each(PAGES)('every JSON example of %s has a label that a test here runs', (page) => {
	const labels = examplesOf(page).map(({ label }) => label);
	const known = ['questions', 'answers', 'error', 'workflow', 'input', 'output'];
	expect(labels.filter((label) => !known.includes(label))).toEqual([]);
});

test.each(examplesOfAll('questions', 'answers') as Array<[string, IDataObject, IDataObject]>)(
	'the questions of %s give the columns of its answers',
	async (_, questions, answers) => {
		const { message } = answers;
		const { outputs } = await runNode({
			type: 'decision',
			parameters: { questionsSource: 'json', questionsJson: JSON.stringify(questions) },
			items: [{ message: message! }],
			service: emulator,
		});
		expect(shapeOf(outputs()[0]![0]!.json)).toEqual(shapeOf(answers));
	},
);

test.each(examplesOfAll('error') as Array<[string, IDataObject]>)(
	'the error of %s has the values and the advice that the node gives for its status',
	async (_, example) => {
		const { error } = readErrorItem(example);
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
	},
);

describe.each(examplesOfAll('workflow') as Array<[string, IDataObject]>)(
	'the node of %s',
	(page, workflow) => {
		const [node] = workflow.nodes as unknown as [{ type: string; parameters: INodeParameters }];
		const input = examplesOf(page).find(({ label }) => label === 'input')?.json ?? {};
		const output = examplesOf(page).find(({ label }) => label === 'output')?.json;

		test('runs, and outputs an item with the fields on the page', async () => {
			const { outputs } = await runNode({
				type: node.type.split('.')[1]!,
				parameters: JSON.parse(
					JSON.stringify(node.parameters).replaceAll(MODEL_OF_PAGES, ACCEPTED_MODELS[0]!),
				) as INodeParameters,
				items: [input],
				service: emulator,
			});
			const { json } = outputs()[0]![0]!;
			expect(json).not.toEqual({});
			if (output) expect(shapeOf(json)).toEqual(shapeOf(output));
		});
	},
);

const ALL_PAGES = [...PAGES, 'CHANGELOG.md', 'CONTRIBUTING.md', 'RELEASING.md', 'SECURITY.md'];

test.each(ALL_PAGES)('every command in %s is a script of the package', (page) => {
	const commands = [...read(page).matchAll(/npm (?:run (\S+?)|(start|test))(?=[\s`])/g)].map(
		([, run, plain]) => run ?? plain!,
	);
	if (page === 'README.md') expect(commands.length).toBeGreaterThan(3);
	for (const command of commands) expect(Object.keys(manifest.scripts)).toContain(command);
});

test.each(ALL_PAGES)('every link in %s leads to an existing page or heading', (page) => {
	const targets = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
	const broken = targets.filter((target) => {
		if (/^https?:/.test(target)) return false;
		const [path, anchor] = target.split('#') as [string, string | undefined];
		const file = path === '' ? page : join(dirname(page), path);
		if (!existsSync(join(ROOT, file))) return true;
		return anchor !== undefined && !headingAnchors(read(file)).includes(anchor);
	});
	expect(broken).toEqual([]);
});

test.each(Object.values(NODES_OF_PAGES))('the pages of %s name every parameter and option', (...nodes) => {
	const pages = Object.keys(NODES_OF_PAGES).filter((page) => NODES_OF_PAGES[page]!.includes(nodes[0]!));
	const text = pages.map(read).join('\n');
	const labels = parametersOf(pages[0]!).map(({ displayName }) => displayName);
	expect(labels.filter((label) => !SHARED_OPTIONS.includes(label) && !text.includes(label))).toEqual([]);
});

/** Decision has further pages, each for one of its operations. */
const MAIN_PAGES = Object.entries(NODES_OF_PAGES).filter(
	([page]) => !['docs/evaluate.md', 'docs/route.md'].includes(page),
);

const OPERATIONS = MAIN_PAGES.flatMap(([page, nodes]) =>
	nodes.flatMap((node) => operationsOf(node).map(({ name }) => [page, node, name] as const)),
);

test.each(OPERATIONS)(
	'%s and the table of the README name the operation of %s: %s',
	(page, node, operation) => {
		const [, afterHeading = ''] = read('README.md').split('## Operations\n');
		const label = descriptionOf(node).displayName;
		const rows = afterHeading.split('\n## ')[0]!.split(/\n(?=\| \[)/);
		const row = rows.find((text) => text.startsWith(`| [${label}]`)) ?? '';
		const names = row.split(/[|,\]]/).map((name) => name.replace('[', '').trim());
		expect(names).toContain(operation);
		expect(sectionOf(page, label)).toMatch(new RegExp(`\\b${operation}\\b`));
	},
);

test('every node has a page, to which its codex links', () => {
	const linked = globSync('nodes/*/*.node.json', { cwd: ROOT }).map((file) => {
		const { node, resources } = JSON.parse(read(file)) as {
			node: string;
			resources: { primaryDocumentation: [{ url: string }] };
		};
		return [resources.primaryDocumentation[0].url.split(/\/main\/|#/)[1], node.split('.')[1]];
	});
	expect(linked.sort()).toEqual(
		MAIN_PAGES.flatMap(([page, nodes]) => nodes.map((node) => [page, node])).sort(),
	);
});

/** Returns what a page says about a node: its own section, if the page has several nodes. */
function sectionOf(page: string, label: string): string {
	const sections = read(page).split(/\n(?=## )/);
	return sections.find((text) => text.startsWith(`## ${label}\n`)) ?? sections.join('\n');
}

/** Returns the parameters and options that the editor shows for the page's nodes. */
function parametersOf(page: string): INodeProperties[] {
	return NODES_OF_PAGES[page]!.flatMap((node) => {
		const { properties } = descriptionOf(node);
		const options = properties
			.filter(({ name }) => name === 'options')
			.flatMap((property) => property.options as INodeProperties[]);
		return [...properties.filter(({ name }) => name !== 'options'), ...options];
	}).filter(({ type, name }) => !['hidden', 'notice'].includes(type) && name !== 'operation');
}

function descriptionOf(node: string): INodeTypeDescription {
	return nodeTypes[`${manifest.name}.${node}`]!.description;
}

function operationsOf(node: string): INodePropertyOptions[] {
	const chooser = descriptionOf(node).properties.find(({ name }) => name === 'operation');
	return (chooser?.options ?? []) as INodePropertyOptions[];
}

/** Returns all values that a document has under a name, at any depth. */
function valuesOf(document: unknown, name: string): string[] {
	if (typeof document !== 'object' || document === null) return [];
	return Object.entries(document).flatMap(([key, value]) =>
		key === name ? [String(value)] : valuesOf(value, name),
	);
}
