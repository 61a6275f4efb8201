import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { LoadedPackage, LoadedType } from './loadAsN8n.mjs' with { 'resolution-mode': 'import' };

/** Describes the fields of package.json that the rules read. */
export interface ReviewedManifest {
	homepage: string;
	n8n: { strict?: boolean; nodes: string[]; credentials: string[] };
}

/** docs.n8n.io/connect/create-nodes/build-your-node/reference/codex-files lists these under "Node categories". */
const CATEGORIES =
	/^(?:Analytics|Communication|Data & Storage|Development|Finance & Accounting|Marketing & Content|Miscellaneous|Productivity|Sales|Utility)$/;

/** With `n8n.strict` on, `n8n-node lint` requires this `eslint.config.mjs`. White space does not matter. */
const STRICT_ESLINT_CONFIG = "import { config } from '@n8n/node-cli/eslint'; export default config;";

/** n8n's rule hint-max-length has this limit. */
const MAX_HINT_CHARS = 120;

/** Checks n8n's rules for the repository: provenance, required since May 2026, and the strict mode of `n8n-node lint`. */
export function repositoryFindings({ n8n }: ReviewedManifest, projectRoot: string): string[] {
	const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
	const publishing = read('.github/workflows/publish.yml');
	const kept: Array<[rule: string, isKept: boolean]> = [
		[
			'publish.yml publishes with provenance',
			publishing.includes('id-token: write') && publishing.includes('npm publish --provenance'),
		],
		['n8n.strict is on', n8n.strict === true],
		[
			"eslint.config.mjs is n8n's",
			read('eslint.config.mjs').replace(/\s+/g, ' ').trim() === STRICT_ESLINT_CONFIG,
		],
	];
	return kept.filter(([, isKept]) => !isKept).map(([rule]) => `broken: ${rule}`);
}

/**
 * Checks rules for nodes and credentials that n8n's scanner applies only to literals or not at all: valid-node-categories,
 * no-ai-codex-category, no-codex-subcategories, hint-max-length, and "Use English language only".
 */
export function descriptionFindings({ nodes, credentials }: LoadedPackage, projectRoot: string): string[] {
	return [...nodes, ...credentials].flatMap((type) => {
		const json = JSON.stringify(type.description);
		const foreign = json.match(/[^\p{Script=Latin}\p{Script=Common}]+/gu) ?? [];
		const longHints = json.match(new RegExp(`"hint":"[^"]{${MAX_HINT_CHARS + 1},}`, 'g')) ?? [];
		return [...codexFindings(type, projectRoot), ...foreign, ...longHints].map(
			(finding) => `${type.name}: ${finding}`,
		);
	});
}

function codexFindings({ name, description }: LoadedType, projectRoot: string): string[] {
	const { categories = [], subcategories } = ('codex' in description && description.codex) || {};
	const isFree = (category: string) => CATEGORIES.test(category);
	if (categories.every(isFree) && subcategories === undefined) return [];
	// n8n's rules look for this import in the node's own file, and a type import counts too.
	const title = name.charAt(0).toUpperCase() + name.slice(1);
	const source = readFileSync(path.join(projectRoot, `nodes/${title}/${title}.node.ts`), 'utf8');
	return source.includes("'@n8n/ai-node-sdk'") ? [] : ['categories and subcategories of AI are for AI nodes'];
}
