const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { glob, mkdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

function clean() {
	return rm('dist', { recursive: true, force: true });
}

async function compile() {
	const compiler = spawn(
		process.execPath,
		[require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
		{ stdio: 'inherit' },
	);
	const [exitCode] = await once(compiler, 'exit');
	if (exitCode !== 0) throw new Error('TypeScript found errors');
}

/**
 * n8n installs no dependencies of a package it verifies, so every library the compiled code requires, other than
 * n8n-workflow, becomes one file in dist/vendor, and the requires of it are pointed there.
 *
 * Only libraries are bundled, not the nodes: dist keeps one readable file per source file, for those who review the
 * published package; the nodes share one copy of client; and no bundler rewrites the functions whose source text the
 * `outputs` expressions are made of.
 */
async function bundleLibraries() {
	const loadOfLibrary = /\b(require|import)\(["']([^"'.][^"']*)["']\)/g;
	const libraries = new Set();
	for await (const file of glob('dist/**/*.js')) {
		const code = await readFile(file, 'utf8');
		// The compiler indents by four spaces, the sources by tabs: this saves a hundredth of the tarball.
		const indented = code.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));
		const bundled = indented.replace(loadOfLibrary, (statement, call, library) => {
			if (library === 'n8n-workflow') return statement;
			// n8n provides its SDK by a search path that Node's loader of ES modules does not know.
			const isProvided = library === '@n8n/ai-node-sdk';
			if (!isProvided) libraries.add(library);
			const required = `require("${isProvided ? library : pathToVendor(file, library)}")`;
			// Still loaded when it is needed only, but without Node's loader of ES modules, which test runners lack.
			return call === 'import' ? `Promise.resolve(${required})` : required;
		});
		if (bundled !== code) await writeFile(file, bundled);
	}

	const notices = await readFile('THIRD_PARTY_NOTICES.md', 'utf8');
	for (const library of libraries) {
		const outfile = `dist/vendor/${library}.js`;
		await mkdir(path.dirname(outfile), { recursive: true });
		const { metafile } = await esbuild.build({
			entryPoints: [library],
			outfile,
			bundle: true,
			format: 'cjs',
			platform: 'neutral',
			mainFields: ['module', 'main'],
			target: 'es2022',
			metafile: true,
			// n8n's verification refuses the calls of the console in this one.
			...(library === 'zod-to-json-schema'
				? { drop: ['console'], minify: true, plugins: [onlyTypeNamesOfZod] }
				: {}),
		});
		for (const input of Object.keys(metafile.outputs[outfile].inputs)) {
			const packageName = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
			if (packageName && !notices.includes(`\n## ${packageName}\n`)) {
				throw new Error(`THIRD_PARTY_NOTICES.md does not name ${packageName}, which ${outfile} contains`);
			}
		}
	}
}

/** zod-to-json-schema reads nothing of Zod but the names of its types: 1 kB in place of 60. */
const onlyTypeNamesOfZod = {
	name: 'only-type-names-of-zod',
	setup({ onLoad, onResolve }) {
		onResolve({ filter: /^zod\/v3$/ }, ({ path }) => ({ path, namespace: 'zod' }));
		onLoad({ filter: /.*/, namespace: 'zod' }, () => ({
			contents: `export const ZodFirstPartyTypeKind = ${JSON.stringify(require('zod/v3').ZodFirstPartyTypeKind)};`,
		}));
	},
};

function pathToVendor(file, library) {
	const relativePath = path
		.relative(path.dirname(file), `dist/vendor/${library}.js`)
		.replaceAll(path.sep, '/');
	return relativePath.startsWith('.') ? relativePath : `./${relativePath}`;
}

function copyStaticFiles() {
	const patterns = [
		'nodes/**/*.svg',
		'nodes/**/*.node.json',
		'nodes/**/__schema__/**/*.json',
		'credentials/**/*.svg',
	];
	return src(patterns, { base: '.', encoding: false }).pipe(dest('dist'));
}

exports.build = series(clean, compile, parallel(bundleLibraries, copyStaticFiles));
exports.default = exports.build;
