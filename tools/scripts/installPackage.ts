import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PROGRESS_INTERVAL_MS = 15_000;

const TIMEOUT_MS = 15 * 60_000;

/** Installs the dependencies of a private package from its lock file, unless they are installed already. */
export async function installPackage(folder: string): Promise<void> {
	const lockFile = readFileSync(join(folder, 'package-lock.json'), 'utf8');
	const stampFile = join(folder, 'node_modules/.installed');
	const stamp = createHash('sha256').update(lockFile).update(process.version).digest('hex');
	if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { description: string };
	console.log(`Installing into ${folder}: ${manifest.description} ...`);
	const { packages } = JSON.parse(lockFile) as { packages: object };
	const all = Object.keys(packages).filter((path) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)).length;
	const started = performance.now();
	const seconds = () => Math.round((performance.now() - started) / 1000);
	const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
		cwd: folder,
		stdio: 'inherit',
		timeout: TIMEOUT_MS,
		// tools/e2e/.npmrc reads the variable PWD, which `cwd` does not change. If SQLite cannot be downloaded, npm
		// compiles it, which takes 24 s at this optimization level, and 72 s at the default one.
		env: { ...process.env, PWD: folder, CFLAGS: '-O1', CXXFLAGS: '-O1' },
	});
	// npm downloads everything before it unpacks the first package, and compiles some packages in the end. Meanwhile the count stays.
	let latest = 0;
	const progress = setInterval(() => {
		const unpacked = unpackedIn(folder);
		const isCompiling = unpacked > 0 && unpacked === latest;
		latest = unpacked;
		const done = isCompiling ? 'compiling the last packages' : `${unpacked} of ${all} packages unpacked`;
		console.log(`  ${done} after ${seconds()} s`);
	}, PROGRESS_INTERVAL_MS);
	try {
		const [code] = (await once(npm, 'exit')) as [number | null];
		if (code !== 0) throw new Error(`npm could not install into ${folder}`);
	} finally {
		clearInterval(progress);
	}
	writeFileSync(stampFile, stamp);
	console.log(`Installed in ${seconds()} s`);
}

function unpackedIn(folder: string): number {
	const modules = join(folder, 'node_modules');
	if (!existsSync(modules)) return 0;
	const names = readdirSync(modules).flatMap((name) =>
		name.startsWith('@') ? readdirSync(join(modules, name)).map((scoped) => join(name, scoped)) : [name],
	);
	return names.filter((name) => existsSync(join(modules, name, 'package.json'))).length;
}
