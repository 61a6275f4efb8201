import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const communityNodes = n8nCommunityNodesPlugin.configs.recommended;
const nodesBase = { 'n8n-nodes-base': n8nNodesBase };

export default defineConfig(
	globalIgnores(['dist', 'coverage', 'demo-output', '.tmp-*', 'contract/types.ts']),
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
			eqeqeq: 'error',
			'no-console': 'error',
		},
	},
	{
		files: [
			'scripts/**',
			'demo/**',
			'e2e/*.ts',
			'strangers/**',
			'emulator/**',
			'bench/**',
			'engine/loadPackage.ts',
		],
		rules: { 'no-console': 'off' },
	},
	{
		files: ['nodes/**', 'credentials/**', 'package.json'],
		extends: [communityNodes],
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
