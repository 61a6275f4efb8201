import { pathToFileURL } from 'node:url';

import type { Checklist, Outcome } from './Checklist';

/** What `scanner/scanner.mjs` of `@n8n/scan-community-package` exports and this project uses. */
interface Scanner {
	SOURCE_FILE_PATTERNS: string[];
	analyzePackage(
		packageFolder: string,
		filePatterns: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}

/** n8n verifies a package with these two scans: of the sources it was built from, and of what npm serves. */
export async function scanForVerification(
	checklist: Checklist,
	projectRoot: string,
	packageRoot: string,
): Promise<void> {
	const scannerPath = require.resolve('@n8n/scan-community-package/scanner/scanner.mjs');
	const scanner = (await import(pathToFileURL(scannerPath).href)) as Scanner;

	const scan = async (folder: string, filePatterns: string[]): Promise<Outcome> => {
		const { passed, message, details } = await scanner.analyzePackage(folder, filePatterns);
		return { findings: passed && !message ? [] : [details ?? message ?? 'did not pass'] };
	};
	await checklist.check('n8n scanner, sources', () => scan(projectRoot, scanner.SOURCE_FILE_PATTERNS));
	await checklist.check('n8n scanner, tarball', () => scan(packageRoot, ['**/*.js', 'package.json']));
}
