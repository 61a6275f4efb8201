import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Checklist } from './Checklist';
import { checkEnglish } from './englishCheck';
import { pack, unpack } from './pack';
import { checkPackage } from './packageCheck';
import { scanForVerification } from './verificationScan';

const PROJECT_ROOT = path.resolve(__dirname, '..');

/** Packs the project, and unpacks it next to a node_modules that holds n8n-workflow and nothing else. */
function installPacked(workFolder: string): { packageRoot: string; tarball: string } {
	const modules = path.join(workFolder, 'node_modules');
	const packageRoot = path.join(modules, 'n8n-nodes-inference-service');
	const tarball = pack(workFolder);
	unpack(tarball, packageRoot);
	symlinkSync(
		path.join(PROJECT_ROOT, 'node_modules/n8n-workflow'),
		path.join(modules, 'n8n-workflow'),
		'junction',
	);
	return { packageRoot, tarball };
}

async function main(): Promise<void> {
	const workFolder = mkdtempSync(path.join(tmpdir(), 'verify-'));
	try {
		const { packageRoot, tarball } = installPacked(workFolder);
		const checklist = new Checklist();
		await scanForVerification(checklist, PROJECT_ROOT, packageRoot);
		await checkPackage(checklist, PROJECT_ROOT, packageRoot, tarball);
		await checklist.check('plain English, in pages, texts and comments', () => checkEnglish(PROJECT_ROOT));
		checklist.finish();
	} finally {
		rmSync(workFolder, { recursive: true, force: true });
	}
}

void main();
