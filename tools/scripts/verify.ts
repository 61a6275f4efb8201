import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { Checklist, type Outcome } from './Checklist';
import { pack, unpack } from './pack';
import { checkPackage } from './packageCheck';

const PROJECT_ROOT = path.resolve(__dirname, '../..');

/** Describes the exports of `scanner/scanner.mjs` in `@n8n/scan-community-package` that this project uses. */
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
		// The package is unpacked into a node_modules that otherwise holds only n8n-workflow, as a check that it needs nothing else.
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

/** Runs the two scans of n8n's verification: one of the sources, and one of the package as npm serves it. */
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
