import { join } from 'node:path';

import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import manifest from '../package.json';
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
		loaded: { nodes: [loaded], credentials: [] },
		projectRoot: PROJECT_ROOT,
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
	['English', { description: 'Читать' }, ['account: Читать']],
] as Array<[string, Partial<INodeTypeDescription>, string[]]>)('%s finds %j', (source, node, expected) => {
	expect(findings(source, node)).toEqual(expected);
	expect(findings(source, {})).toEqual([]);
});

test('a folder of a repository and a package that is not strict are found', () => {
	const repository = { ...manifest.repository, directory: 'packages/one' };
	expect(findings('no-monorepo', {}, { repository })).toEqual(['repository.directory names a folder']);
	expect(findings('n8n-node lint', {}, { n8n: { nodes: [] } })).toEqual(['n8n.strict is not true']);
});
