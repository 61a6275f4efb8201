import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import manifest from '../package.json';
import { iconContrast } from '../scripts/iconContrast';
import { REVIEW_RULES, type Reviewed } from '../scripts/reviewRules';
import { nodeTypes } from './runNode';

const PROJECT_ROOT = join(__dirname, '..');

const NODE = nodeTypes[`${manifest.name}.account`]!.description;

const FIELD: INodeProperties = { displayName: 'Field', name: 'field', type: 'string', default: '' };

/** What a rule finds in the package, with one node in place of all. */
function findings(
	source: string,
	node: Partial<INodeTypeDescription>,
	changed: Partial<Reviewed['manifest']> = {},
): string[] {
	const found = REVIEW_RULES.find((rule) => rule.source.includes(source))!;
	const description = {
		...NODE,
		codex: { categories: ['Utility'] },
		...node,
	} as INodeTypeDescription;
	const loaded = { name: description.name, icons: {}, documentation: [], description };
	return found.findings({
		manifest: { ...manifest, ...changed },
		loaded: { nodes: [loaded], credentials: [], milliseconds: 0, heapMegabytes: 0 },
		projectRoot: PROJECT_ROOT,
		packageRoot: PROJECT_ROOT,
	});
}

test.each([
	['valid-node-categories', { codex: { categories: ['AI'] } }, ['account: the category "AI"']],
	['valid-node-categories', { codex: { categories: [] } }, ['account has no category']],
	[
		'valid-node-categories',
		{ codex: { categories: ['Utility'], subcategories: { AI: ['Tools'] } } },
		['account has subcategories'],
	],
	[
		'hint-max-length',
		{ properties: [{ ...FIELD, hint: 'x'.repeat(121) }] },
		[expect.stringContaining('121')],
	],
	['require-param-default', { properties: [{ ...FIELD, default: undefined }] }, ['account.field has none']],
	[
		'require-param-default',
		{
			properties: [
				{ ...FIELD, name: 'options', type: 'collection', options: [{ ...FIELD, default: undefined }] },
			],
		},
		['account.options.field has none'],
	],
	[
		'no-duplicate-param-options',
		{
			properties: [
				{
					...FIELD,
					type: 'options',
					options: [
						{ name: 'A', value: 'a' },
						{ name: 'B', value: 'a' },
					],
				},
			],
		},
		['account.field has'],
	],
	['non-core-color', { defaults: { name: 'Account', color: '#FF6D5A' } }, ['account has the colour #FF6D5A']],
	['node-filename', { name: 'other' }, ['other is not in dist/nodes/Other/Other.node.js']],
	[
		'single-credential',
		{ credentials: [{ name: 'oneApi' }, { name: 'otherApi' }] },
		['account has several credentials'],
	],
	['English', { description: 'Читать' }, ['account: Читать']],
] as Array<[string, Partial<INodeTypeDescription>, string[]]>)('%s finds %j', (source, node, expected) => {
	expect(findings(source, node)).toEqual(expected);
	expect(findings(source, {})).toEqual([]);
});

test('another licence, a folder of a repository and a package that is not strict are found', () => {
	expect(findings('require-mit-license', {}, { license: 'ISC' })).toEqual(['the licence is ISC']);
	const repository = { ...manifest.repository, directory: 'packages/one' };
	expect(findings('no-monorepo', {}, { repository })).toEqual(['repository.directory names a folder']);
	expect(findings('n8n-node lint', {}, { n8n: { nodes: [] } })).toEqual(['n8n.strict is not true']);
});

describe('the contrast of an icon', () => {
	let folder: string;

	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'icons-'));
	});
	afterAll(() => rmSync(folder, { recursive: true }));

	test.each([
		['<path fill="#000"/>', 'light', 21],
		['<path/>', 'light', 21],
		['<path fill="none" stroke="#ffffff"/>', 'light', 1],
		['<path fill="#fff"/><path style="stroke: #767676"/>', 'light', 4.54],
		// n8n's own example: black has 1.48:1 on the dark background.
		['<path fill="#000000"/>', 'dark', 1.48],
	] as const)('%s, %s', (svg, theme, expected) => {
		const file = join(folder, 'icon.svg');
		writeFileSync(file, `<svg xmlns="http://www.w3.org/2000/svg">${svg}</svg>`);
		expect(iconContrast(file, theme)).toBeCloseTo(expected, 2);
	});

	test('a colour that is not a number is no colour to guess about', () => {
		const file = join(folder, 'icon.svg');
		writeFileSync(file, '<svg><path fill="currentColor"/></svg>');
		expect(() => iconContrast(file, 'dark')).toThrow('currentColor');
	});
});
