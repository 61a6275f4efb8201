import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findOtherVersions, findPlaceholders } from '../scripts/releaseCheck';

const ROOT = join(__dirname, '..');

// Not in one string, so that an owner who replaces these words in all files does not change this test.
const [ACCOUNT, EMAIL, PROJECT] = [
	['OWN', 'ER'],
	['maintainers@', 'example.com'],
	['Inference Service ', 'nodes'],
].map((parts) => parts.join('')) as [string, string, string];

let root: string;

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'release-check-'));
	for (const file of [
		...['package.json', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md'],
		...['.github', 'credentials', 'nodes'],
	]) {
		cpSync(join(ROOT, file), join(root, file), { recursive: true });
	}
});

afterEach(() => rmSync(root, { recursive: true }));

function edit(file: string, change: (text: string) => string): void {
	writeFileSync(join(root, file), change(readFileSync(join(root, file), 'utf8')));
}

test('every line with a placeholder is found, and no other', () => {
	const before = findPlaceholders(root);
	edit('LICENSE', (text) => text.replace(/\(c\) .*/, `(c) 2026 ${PROJECT} contributors`));
	edit('.github/ISSUE_TEMPLATE/config.yml', (text) =>
		text.replaceAll(/github\.com\/[\w-]+/g, `github.com/${ACCOUNT}`),
	);
	edit('package.json', (text) => text.replace(/"email": ".*"/, `"email": "${EMAIL}"`));
	expect(findPlaceholders(root)).toEqual(
		expect.arrayContaining([
			expect.stringMatching(`^\\.github/ISSUE_TEMPLATE/config\\.yml:4: .*${ACCOUNT}`),
			`LICENSE:3: Copyright (c) 2026 ${PROJECT} contributors`,
			`package.json:8: "email": "${EMAIL}"`,
		]),
	);
	const files = new Set([...before, ...findPlaceholders(root)].map((finding) => finding.split(':')[0]!));
	for (const file of files) {
		edit(file, (text) =>
			text.replaceAll(ACCOUNT, 'acme-co').replaceAll(EMAIL, 'nodes@acme.co').replaceAll(PROJECT, 'Acme'),
		);
	}
	expect(findPlaceholders(root)).toEqual([]);
});

test('replacing the placeholders in all files leaves the check as it is', () => {
	for (const file of ['scripts/releaseCheck.ts', '.github/workflows/publish.yml']) {
		const text = readFileSync(join(ROOT, file), 'utf8');
		expect([ACCOUNT, EMAIL, PROJECT].filter((word) => text.includes(word))).toEqual([]);
	}
});

test('the version is that of the tag, and the first one of the changelog, with its date', () => {
	edit('package.json', (text) => text.replace(/"version": ".*"/, '"version": "7.1.0"'));
	edit('CHANGELOG.md', () => '# Changelog\n\n## [7.1.0] - 2030-01-31\n\n## [7.0.0] - 2029-01-31\n');
	expect(findOtherVersions(root)).toEqual([]);
	expect(findOtherVersions(root, 'v7.1.0')).toEqual([]);
	expect(findOtherVersions(root, 'v7.0.0')).toEqual(['the tag is v7.0.0, not v7.1.0']);
	for (const heading of ['## [7.1.0]', '## [7.0.0] - 2029-01-31', '## [Unreleased]']) {
		edit('CHANGELOG.md', () => `# Changelog\n\n${heading}\n\n## [7.1.0] - 2030-01-31\n`);
		expect(findOtherVersions(root)).toEqual([
			`CHANGELOG.md begins with "${heading}", not with 7.1.0 and its date`,
		]);
	}
});
