import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { Checklist, type Outcome } from './Checklist';
import { pack, unpack } from './pack';
import { checkPackage } from './packageCheck';

const PROJECT_ROOT = path.resolve(__dirname, '../..');

/** What `scanner/scanner.mjs` of `@n8n/scan-community-package` exports and this project uses. */
interface Scanner {
	SOURCE_FILE_PATTERNS: string[];
	analyzePackage(
		packageFolder: string,
		filePatterns: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}

async function main(): Promise<void> {
	const workFolder = mkdtempSync(path.join(tmpdir(), 'verify-'));
	try {
		// Next to a node_modules that holds n8n-workflow and nothing else.
		const modules = path.join(workFolder, 'node_modules');
		const packageRoot = path.join(modules, 'n8n-nodes-inference-service');
		const tarball = pack(workFolder);
		unpack(tarball, packageRoot);
		const workflowLibrary = 'node_modules/n8n-workflow';
		symlinkSync(path.join(PROJECT_ROOT, workflowLibrary), path.join(workFolder, workflowLibrary), 'junction');

		const checklist = new Checklist();
		await scanForVerification(checklist, packageRoot);
		await checkPackage(checklist, PROJECT_ROOT, packageRoot, tarball);
		checklist.finish();
	} finally {
		rmSync(workFolder, { recursive: true, force: true });
	}
}

/** n8n verifies a package with these two scans: of the sources it was built from, and of what npm serves. */
async function scanForVerification(checklist: Checklist, packageRoot: string): Promise<void> {
	const scannerPath = require.resolve('@n8n/scan-community-package/scanner/scanner.mjs');
	const scanner = (await import(pathToFileURL(scannerPath).href)) as Scanner;
	const scan = async (folder: string, filePatterns: string[]): Promise<Outcome> => {
		const { passed, message, details } = await scanner.analyzePackage(folder, filePatterns);
		return { findings: passed && !message ? [] : [details ?? message ?? 'did not pass'] };
	};
	await checklist.check('n8n scanner, sources', () => scan(PROJECT_ROOT, scanner.SOURCE_FILE_PATTERNS));
	await checklist.check('n8n scanner, tarball', () => scan(packageRoot, ['**/*.js', 'package.json']));
}

void main();
