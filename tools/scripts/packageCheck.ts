import { execFileSync } from 'node:child_process';
import { globSync, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import type { Checklist, Outcome } from './Checklist';
import type { LoadedPackage, LoadedType } from './loadAsN8n.mjs' with { 'resolution-mode': 'import' };
import { headingAnchors } from '../../test/support/headingAnchors';
import { descriptionFindings, repositoryFindings, type ReviewedManifest } from './reviewRules';
import { textFindings } from './textCheck';

const REQUIRED_FILES = ['LICENSE', 'README.md', 'THIRD_PARTY_NOTICES.md', 'package.json'];

/** Checks what n8n's scanner does not check: that the package is complete, and that n8n can load it without other packages. */
export async function checkPackage(
	checklist: Checklist,
	projectRoot: string,
	packageRoot: string,
	tarball: string,
): Promise<void> {
	const read = (file: string) => readFileSync(path.join(packageRoot, file), 'utf8');
	const files = globSync('**/*', { cwd: packageRoot, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(packageRoot, path.join(entry.parentPath, entry.name)))
		.map((file) => file.replaceAll(path.sep, '/'));
	const manifest = JSON.parse(read('package.json')) as ReviewedManifest;

	// n8n's scanner checks the other fields that package.json must not have.
	await checklist.check('no optional and no bundled dependency', () => ({
		findings: ['optionalDependencies', 'bundledDependencies', 'bundleDependencies'].filter(
			(field) => field in manifest,
		),
	}));
	await checklist.check('files of the tarball', () => checkFiles(files));
	await checklist.check('size of the tarball', () => ({
		findings: [],
		note: `${statSync(tarball).size} bytes`,
	}));
	await checklist.check('dist requires nothing but itself and what n8n provides', () => ({
		findings: files
			.filter((file) => file.endsWith('.js'))
			.flatMap((file) => foreignRequires(file, read(file))),
	}));
	const loaded = load(packageRoot);
	await checklist.check(
		"n8n's loader finds every node and credential, with codex and links to pages that exist",
		() => checkLoaded(loaded, projectRoot, manifest),
	);
	await checklist.check("texts in the descriptions against n8n's UX guidelines", () => ({
		findings: [...loaded.nodes, ...loaded.credentials].flatMap(({ name, description }) =>
			textFindings(description).map((finding) => `${name}: ${finding}`),
		),
	}));
	await checklist.check("n8n's rules for the repository", () => ({
		findings: repositoryFindings(manifest, projectRoot),
	}));
	await checklist.check("n8n's rules for categories, hints and letters", () => ({
		findings: descriptionFindings(loaded, projectRoot),
	}));
}

function checkFiles(files: string[]): Outcome {
	const missing = REQUIRED_FILES.filter((file) => !files.includes(file)).map((file) => `${file} is missing`);
	const surplus = files
		.filter((file) => !file.startsWith('dist/') && !REQUIRED_FILES.includes(file))
		.map((file) => `${file} does not belong there`);
	return { findings: [...missing, ...surplus], note: `${files.length} files` };
}

function foreignRequires(file: string, code: string): string[] {
	return [...code.matchAll(/\b(?:require|import)\(([^)]*)\)/g)]
		.filter(
			([, module]) => !/^["'](?:\.{1,2}\/[^"']*|n8n-workflow|@n8n\/ai-node-sdk)["']$/.test(module!.trim()),
		)
		.map(([call]) => `${file}: ${call}`);
}

function load(packageRoot: string): LoadedPackage {
	// A separate process loads the package, because tsx would compile in this one what n8n loads as it is.
	const output = execFileSync(process.execPath, [path.join(__dirname, 'loadAsN8n.mts'), packageRoot], {
		encoding: 'utf8',
	});
	return JSON.parse(output.trim().split('\n').at(-1)!) as LoadedPackage;
}

function checkLoaded(
	{ nodes, credentials }: LoadedPackage,
	projectRoot: string,
	{ homepage, n8n }: ReviewedManifest,
): Outcome {
	const isComplete = nodes.length === n8n.nodes.length && credentials.length === n8n.credentials.length;
	return {
		findings: [
			...(isComplete ? [] : [`${nodes.length} nodes and ${credentials.length} credentials were loaded`]),
			...[...nodes, ...credentials].flatMap((type) => wrongLinks(type, homepage, projectRoot)),
			...nodes.filter(({ description }) => !hasCodex(description)).map(({ name }) => `${name} has no codex`),
		],
		note: `${nodes.length} nodes`,
	};
}

function hasCodex(description: LoadedType['description']): boolean {
	const { categories = [], alias = [] } = ('codex' in description && description.codex) || {};
	return categories.length > 0 && alias.length > 0;
}

/** Returns the links that lead neither to the homepage, which shows the README, nor to a page of this repository. */
function wrongLinks({ name, documentation }: LoadedType, homepage: string, projectRoot: string): string[] {
	const findings = documentation.length ? [] : [`${name} links to no documentation`];
	for (const url of documentation) {
		const [address, anchor] = url.split('#') as [string, string | undefined];
		const page = address === homepage ? 'README.md' : address.split(`${homepage}/blob/main/`)[1];
		const file = page === undefined ? undefined : path.join(projectRoot, page);
		if (file === undefined || !existsSync(file)) {
			findings.push(`${name}: ${url} is not a page of this package`);
		} else if (anchor && !headingAnchors(readFileSync(file, 'utf8')).includes(anchor)) {
			findings.push(`${name}: ${page} has no heading #${anchor}`);
		}
	}
	return findings;
}
