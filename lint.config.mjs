import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import { importX } from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

// `eslint.config.mjs` is n8n's own, word for word: `n8n-node lint` demands it of a package with `n8n.strict`.

const communityNodes = n8nCommunityNodesPlugin.configs.recommended;
const nodesBase = { 'n8n-nodes-base': n8nNodesBase };

const MODULE_CONSTANT =
	':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration[kind="const"] > VariableDeclarator[id.name=/[a-z]/]';
const COLLECTION =
	':matches(Literal[regex], NewExpression[callee.name=/^(RegExp|Set|Map)$/][arguments.length>0], ArrayExpression:has(> Literal))';

const PRIMITIVE = {
	selector: 'variable',
	modifiers: ['const', 'global'],
	types: ['boolean', 'string', 'number'],
};
/** A destructured constant keeps its property's name. */
const DESTRUCTURED = { ...PRIMITIVE, modifiers: ['const', 'global', 'destructured'], format: null };

/** Rules that no plugin has. */
const PROJECT_RULES = [
	{
		selector: `${MODULE_CONSTANT} > ${COLLECTION}, ${MODULE_CONSTANT} > TSAsExpression > ${COLLECTION}`,
		message: 'Constants of a module are SCREAMING_CASE.',
	},
	{ selector: 'CatchClause > Identifier.param[name!="error"]', message: 'Name the caught value `error`.' },
	{
		selector: 'CatchClause > Identifier.param[typeAnnotation]',
		message: 'A caught value is always `unknown`, so it needs no type.',
	},
];

/** What can be written from outside has no owner, so that nobody dares to change it. */
const OWNED_STATE = ['PropertyDefinition', 'TSParameterProperty'].map((declaration) => ({
	selector: `${declaration}:not([readonly=true]):not([accessibility="private"])`,
	message: 'A field is private or readonly. Others read it by a getter, and change it by a method.',
}));

/** Includes the differences and comparisons that come of it, whatever variables they go through. */
const CLOCK_READING = {
	selector:
		'MemberExpression[object.name=/^(performance|Date)$/][property.name="now"], [property.name="hrtime"]',
	message: 'A test that measures time fails on a slow machine. Count what is done, or use VirtualClock.',
};

export default defineConfig(
	// The code of templates runs inside a function of n8n's.
	globalIgnores(['dist', 'coverage', 'demo-output', '.tmp-*', 'contract/types.ts', 'templates/code']),
	{
		linterOptions: { reportUnusedDisableDirectives: 'error' },
	},
	{
		files: ['**/*.{ts,mts}'],
		extends: [tseslint.configs.recommended],
		languageOptions: {
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/await-thenable': 'error',
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-misused-promises': 'error',
			'@typescript-eslint/no-unnecessary-type-assertion': 'error',
			'@typescript-eslint/only-throw-error': 'error',
			'@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_', varsIgnorePattern: '^_' },
			],
			curly: ['error', 'multi-line'],
			eqeqeq: 'error',
			'no-console': 'error',
		},
	},
	{
		files: ['**/*.{ts,mts}'],
		plugins: { 'import-x': importX },
		rules: {
			'@typescript-eslint/naming-convention': [
				'error',
				{ ...PRIMITIVE, format: ['UPPER_CASE'] },
				DESTRUCTURED,
			],
			'import-x/first': 'error',
			'import-x/newline-after-import': 'error',
			'import-x/no-duplicates': ['error', { 'prefer-inline': true }],
			'import-x/order': [
				'error',
				{
					groups: ['builtin', 'external', ['parent', 'sibling', 'index']],
					'newlines-between': 'always',
				},
			],
			'no-restricted-globals': ['error', { name: 'it', message: 'Tests are called `test`.' }],
			'no-restricted-syntax': ['error', ...PROJECT_RULES],
		},
	},
	{
		files: ['test/**'],
		rules: { 'no-restricted-syntax': ['error', ...PROJECT_RULES, CLOCK_READING] },
	},
	{
		files: ['client/**/*.ts', 'nodes/**/*.ts'],
		// n8n's own class of a node has fields that can be written.
		ignores: ['nodes/**/*.node.ts'],
		rules: {
			'no-multi-assign': 'error',
			'no-restricted-syntax': ['error', ...PROJECT_RULES, ...OWNED_STATE],
		},
	},
	{
		// Scripts that run from top to bottom: their variables are no constants.
		files: ['**/*.mts'],
		rules: { '@typescript-eslint/naming-convention': 'off' },
	},
	{
		files: [
			'tools/{bench,scripts,strangers}/**',
			'tools/e2e/*.ts',
			'demo/**',
			'emulator/**',
			'engine/loadPackage.ts',
		],
		rules: { 'no-console': 'off' },
	},
	{
		files: ['nodes/**', 'credentials/**', 'package.json'],
		extends: [communityNodes],
	},
	{
		// A text from outside must not keep n8n busy.
		files: ['client/**', 'nodes/**', 'credentials/**'],
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
	{
		files: ['client/**'],
		plugins: communityNodes.plugins,
		rules: { '@n8n/community-nodes/no-restricted-globals': 'error' },
	},
	{
		files: ['**/*.json'],
		languageOptions: { parser: tseslint.parser },
	},
	{
		files: ['package.json'],
		plugins: nodesBase,
		rules: n8nNodesBase.configs.community.rules,
	},
	{
		files: ['credentials/**/*.ts'],
		plugins: nodesBase,
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// The scanner that n8n verifies packages with switches off these two rules, and the three below.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: nodesBase,
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
);
