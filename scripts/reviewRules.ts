import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import type { LoadedPackage, LoadedType } from './loadAsN8n.mjs' with { 'resolution-mode': 'import' };

/** The fields of package.json that the rules read. */
export interface ReviewedManifest {
	homepage?: string;
	repository?: { url?: string; directory?: string };
	n8n: { strict?: boolean; nodes: string[] };
}

/** The package as n8n's reviewers get it. */
export interface Reviewed {
	manifest: ReviewedManifest;
	loaded: LoadedPackage;
	projectRoot: string;
}

/** A rule of n8n's that its released scanner does not check, or checks only for literals in the source. */
export interface ReviewRule {
	/** The rule in a few words. */
	rule: string;
	/** Who says so: a rule of `@n8n/eslint-plugin-community-nodes` by its name, or a page of n8n's documentation. */
	source: string;
	findings(reviewed: Reviewed): string[];
}

type Child = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/**
 * The categories are listed at docs.n8n.io/connect/create-nodes/build-your-node/reference/codex-files, "Node
 * categories".
 */
const CATEGORIES = [
	'Analytics',
	'Communication',
	'Data & Storage',
	'Development',
	'Finance & Accounting',
	'Marketing & Content',
	'Miscellaneous',
	'Productivity',
	'Sales',
	'Utility',
];

/** What `n8n-node lint` compares `eslint.config.mjs` with, white space aside, when `n8n.strict` is on. */
const STRICT_ESLINT_CONFIG = "import { config } from '@n8n/node-cli/eslint'; export default config;";

const LONGEST_HINT = 120;

const AI_NODE_SDK = '@n8n/ai-node-sdk';

export const REVIEW_RULES: ReviewRule[] = [
	{
		rule: 'one package in its own repository on GitHub, to which the homepage belongs',
		source: 'no-monorepo; verification guidelines, "Package source verification"',
		findings: ({ manifest: { repository, homepage } }) => {
			const match = /^git\+(https:\/\/github\.com\/[\w.-]+\/[\w.-]+)\.git$/.exec(repository?.url ?? '');
			return [
				...(match ? [] : [`repository.url is ${repository?.url}`]),
				...(match && !homepage?.startsWith(match[1]!) ? [`the homepage is ${homepage}`] : []),
				...(repository?.directory === undefined ? [] : ['repository.directory names a folder']),
			];
		},
	},
	{
		rule: 'published from a GitHub action with provenance',
		source: 'verification guidelines, since May 2026',
		findings: ({ projectRoot }) => {
			const workflow = readFileSync(path.join(projectRoot, '.github/workflows/publish.yml'), 'utf8');
			return ['id-token: write', 'npm publish --provenance']
				.filter((needed) => !workflow.includes(needed))
				.map((needed) => `publish.yml lacks "${needed}"`);
		},
	},
	{
		rule: "strict mode, with n8n's own eslint.config.mjs",
		source: 'n8n-node lint of @n8n/node-cli 0.48.3',
		findings: ({ manifest, projectRoot }) => {
			const config = readFileSync(path.join(projectRoot, 'eslint.config.mjs'), 'utf8');
			return [
				...(manifest.n8n.strict ? [] : ['n8n.strict is not true']),
				...(config.replace(/\s+/g, ' ').trim() === STRICT_ESLINT_CONFIG
					? []
					: ["eslint.config.mjs is not n8n's"]),
			];
		},
	},
	{
		rule: "codex categories from n8n's list; AI and subcategories only with the SDK for AI nodes",
		source: 'valid-node-categories, no-ai-codex-category, no-codex-subcategories, no-logic-or-flow-nodes',
		findings: ({ loaded, projectRoot }) =>
			loaded.nodes.flatMap((node) => codexFindings(node, importsAiNodeSdk(node, projectRoot))),
	},
	{
		rule: `a hint below a field has at most ${LONGEST_HINT} characters`,
		source: 'hint-max-length',
		findings: ({ loaded }) =>
			parametersOf(loaded)
				.filter(({ parameter }) => (parameter.hint?.length ?? 0) > LONGEST_HINT)
				.map(({ at, parameter }) => `${at}: ${parameter.hint!.length}: ${JSON.stringify(parameter.hint)}`),
	},
	{
		rule: 'texts in English letters',
		source: 'verification guidelines, "Use English language only"',
		findings: ({ loaded }) =>
			[...loaded.nodes, ...loaded.credentials].flatMap(({ name, description }) =>
				(JSON.stringify(description).match(/[^\p{Script=Latin}\p{Script=Common}]+/gu) ?? []).map(
					(letters) => `${name}: ${letters}`,
				),
			),
	},
];

function nodeFile(name: string): string {
	const title = name.charAt(0).toUpperCase() + name.slice(1);
	return `dist/nodes/${title}/${title}.node.js`;
}

/** n8n's rules look for the import in the node's own file, types included. */
function importsAiNodeSdk({ name }: LoadedType, projectRoot: string): boolean {
	const file = path.join(
		projectRoot,
		nodeFile(name)
			.replace(/^dist\//, '')
			.replace(/\.js$/, '.ts'),
	);
	return existsSync(file) && readFileSync(file, 'utf8').includes(`'${AI_NODE_SDK}'`);
}

function codexFindings({ name, description }: LoadedType, isAiNode: boolean): string[] {
	const { categories = [], subcategories } = ('codex' in description && description.codex) || {};
	const known = isAiNode ? [...CATEGORIES, 'AI'] : CATEGORIES;
	const unknown = categories.filter((category) => !known.includes(category));
	return [
		...unknown.map((category) => `${name}: the category "${category}"`),
		...(categories.length === 0 ? [`${name} has no category`] : []),
		...(subcategories && !isAiNode ? [`${name} has subcategories`] : []),
	];
}

/** `at` has the names from the node down to the parameter, with dots between them. */
type Located = { at: string; parameter: INodeProperties };

function parametersOf(loaded: LoadedPackage): Located[] {
	return [...loaded.nodes, ...loaded.credentials].flatMap(({ name, description }) =>
		description.properties.flatMap((property) => parametersIn(property, name)),
	);
}

function parametersIn(child: Child, above: string): Located[] {
	const at = `${above}.${child.name}`;
	if ('values' in child) return child.values.flatMap((value) => parametersIn(value, at));
	if (!('type' in child)) return [];
	const below = (child.options ?? []).flatMap((option) => parametersIn(option, at));
	return [{ at, parameter: child }, ...below];
}
