import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Checklist } from './Checklist';
import { checkPackage } from './packageCheck';
import { scanForVerification } from './verificationScan';

const projectRoot = path.resolve(__dirname, '..');

/**
 * Packs the project as `npm publish` does (which builds it), and unpacks it beside a node_modules that holds
 * n8n-workflow and nothing else.
 */
function installPacked(workFolder: string): { packageRoot: string; tarball: string } {
	const modules = path.join(workFolder, 'node_modules');
	const packageRoot = path.join(modules, 'n8n-nodes-inference-service');
	mkdirSync(packageRoot, { recursive: true });
	run('npm', ['pack', '--silent', '--pack-destination', workFolder]);
	const tarballName = readdirSync(workFolder).find((name) => name.endsWith('.tgz'));
	if (!tarballName) throw new Error('npm pack left no tarball');
	const tarball = path.join(workFolder, tarballName);
	run('tar', ['-xzf', tarball, '-C', packageRoot, '--strip-components=1']);
	symlinkSync(
		path.join(projectRoot, 'node_modules/n8n-workflow'),
		path.join(modules, 'n8n-workflow'),
		'junction',
	);
	return { packageRoot, tarball };
}

function run(command: string, commandArguments: string[]): void {
	const { status, error } = spawnSync(command, commandArguments, {
		cwd: projectRoot,
		stdio: 'inherit',
		shell: process.platform === 'win32',
	});
	if (error) throw error;
	if (status !== 0) throw new Error(`${command} ended with ${status}`);
}

async function main(): Promise<void> {
	const workFolder = mkdtempSync(path.join(tmpdir(), 'verify-'));
	try {
		const { packageRoot, tarball } = installPacked(workFolder);
		const checklist = new Checklist();
		await scanForVerification(checklist, projectRoot, packageRoot);
		await checkPackage(checklist, packageRoot, tarball);
		checklist.finish();
	} finally {
		rmSync(workFolder, { recursive: true, force: true });
	}
}

void main();
