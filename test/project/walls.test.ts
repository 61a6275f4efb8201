import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { preProcessFile } from 'typescript';

import { nodeTypes, withInner } from '../support/runNode';

/*
 * Each folder may have only these imports, types included. Paths are relative to the root of the project, without a file extension.
 * A library is an npm package. Node's own modules are not checked, because n8n's scanner keeps them out of the package.
 */
const ROOT = path.resolve(__dirname, '../..');

const PRODUCT = 'contract|client|credentials|nodes';

const SUPPORT = 'test/support|test/limiter/simulator';

interface Room {
	files: string;
	mayImport: RegExp;
	/** A room may use any library if this is not given. */
	libraries?: RegExp;
}

const rooms: Room[] = [
	{ files: 'contract/**/*.ts', mayImport: /^contract\//, libraries: /^$/ },
	{ files: 'client/values/*.ts', mayImport: /^client\/values\//, libraries: /^$/ },
	{
		files: 'client/**/*.ts',
		mayImport: /^(client|contract)\//,
		libraries: /^eventsource-parser$/,
	},
	{
		files: 'credentials/**/*.ts',
		mayImport: /^(credentials|client)\//,
		libraries: /^n8n-workflow$/,
	},
	{
		files: 'nodes/**/*.ts',
		mayImport: /^(nodes|client)\/|^contract\/types$|^credentials\/readCredential$/,
		libraries: /^(n8n-workflow|zod-to-json-schema|@n8n\/ai-node-sdk)$/,
	},
	...lowestFirst(['values', 'text', 'fields', 'service', 'context', 'node', 'run']),
	...lowestFirst(['values', 'text', 'fields', 'service', 'generation']),
	{ files: 'emulator/**/*.ts', mayImport: /^(emulator|contract)\//, libraries: /^(?!n8n-|@n8n\/)/ },
	{ files: 'engine/**/*.ts', mayImport: /^engine\// },
	{ files: 'demo/**/*.ts', mayImport: /^(demo|engine|emulator)\// },
	{
		files: 'test/support/**/*.ts',
		mayImport: new RegExp(`^(test/support|engine|emulator|${PRODUCT})/|^package\\.json$`),
	},
	{ files: 'test/**/*.ts', mayImport: /^(?!tools\/)/ },
	{ files: 'tools/**/*.ts', mayImport: new RegExp(`^(?!test/)|^(${SUPPORT})/`) },
];

test.each(rooms)(
	'$files imports only what its folder may import',
	({ files, mayImport, libraries = /./ }) => {
		const breaches = filesOf(files).flatMap((file) => [
			...neighboursOf(file)
				.filter((neighbour) => !mayImport.test(neighbour))
				.map((neighbour) => `${file} imports ${neighbour}`),
			...librariesOf(file)
				.filter((library) => !libraries.test(library))
				.map((library) => `${file} imports ${library}`),
		]);
		expect(breaches).toEqual([]);
	},
);

const nodeFolders = globSync('nodes/!(shared)/', { cwd: ROOT });

test.each(nodeFolders)('%s imports nothing from the folder of another node', (folder) => {
	const breaches = filesOf(`${folder}/**/*.ts`).filter((file) =>
		neighboursOf(file).some(
			(other) => other.startsWith('nodes/') && !isWithin(other, [folder, 'nodes/shared']),
		),
	);
	expect(breaches).toEqual([]);
});

test('there are no circular imports', () => {
	const open = new Map(filesOf('**/*.ts').map((file) => [file.replace(/\.ts$/, ''), neighboursOf(file)]));
	// A file is removed when all files that it imports are removed. Files that remain in the end are part of a cycle, or import one.
	const removeDone = () =>
		[...open].filter(
			([file, neighbours]) => !neighbours.some((other) => open.has(other)) && open.delete(file),
		);
	while (removeDone().length > 0);
	expect([...open.keys()]).toEqual([]);
});

test('no file of client says "n8n" or the label of a parameter', () => {
	// Labels of one word are left out, because the code may use the same word.
	const labels = Object.values(nodeTypes)
		.flatMap(({ description }) => withInner(description.properties))
		.map(({ displayName }) => displayName)
		.filter((label) => label.includes(' '));
	expect(labels).toContain('Max Tokens');
	const breaches = filesOf('client/**/*.ts').flatMap((file) =>
		['n8n', ...labels].filter((word) => textOf(file).includes(word)).map((word) => `${file} says ${word}`),
	);
	expect(breaches).toEqual([]);
});

/** Returns the rooms of `nodes/shared` with these names, of which each may import those before it, and none after it. */
function lowestFirst(names: string[]): Room[] {
	return names.map((name, index) => {
		const lower = names.slice(0, index + 1).join('|');
		return {
			files: `nodes/shared/${name}/*.ts`,
			mayImport: new RegExp(`^nodes/shared/(${lower})/|^(client|contract)/|^credentials/readCredential$`),
		};
	});
}

function isWithin(file: string, folders: string[]): boolean {
	return folders.some((folder) => file.startsWith(`${folder}/`));
}

/** Returns the project's files that a file imports, without their extensions. */
function neighboursOf(file: string): string[] {
	return importsOf(file)
		.filter((imported) => imported.startsWith('.'))
		.map((imported) => path.posix.join(path.posix.dirname(file), imported).replace(/\.m?js$/, ''));
}

function librariesOf(file: string): string[] {
	return importsOf(file).filter((imported) => !imported.startsWith('.') && !imported.startsWith('node:'));
}

function importsOf(file: string): string[] {
	return preProcessFile(textOf(file), true, true).importedFiles.map(({ fileName }) => fileName);
}

function filesOf(pattern: string): string[] {
	const found = globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**', '.tmp-*/**'] });
	expect(found).not.toEqual([]);
	return found.map((file) => file.replaceAll(path.sep, '/'));
}

function textOf(file: string): string {
	return readFileSync(path.join(ROOT, file), 'utf8');
}
