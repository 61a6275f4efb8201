import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeProperties } from 'n8n-workflow';
import { preProcessFile } from 'typescript';

import { nodeTypes } from '../support/runNode';

const ROOT = path.resolve(__dirname, '../..');

/** What the files of each room may import: paths of this project, and libraries. Node's own modules are the scanner's concern. */
const rooms: Record<string, { paths: RegExp; libraries: RegExp }> = {
	contract: { paths: /^contract\//, libraries: /^$/ },
	client: { paths: /^(client|contract)\//, libraries: /^eventsource-parser$/ },
	credentials: {
		paths: /^(credentials|client)\/|^nodes\/shared\/(text\/nextStep|service\/readCredential)$/,
		libraries: /^n8n-workflow$/,
	},
	nodes: {
		paths: /^(nodes|client)\/|^contract\/types$/,
		libraries: /^(n8n-workflow|zod-to-json-schema|@n8n\/ai-node-sdk)$/,
	},
	emulator: { paths: /^(emulator|contract)\//, libraries: /^(?!n8n-|@n8n\/)/ },
};

/** Within `nodes/shared`, each room builds on those before it only. */
const SHARED_ROOMS = ['text', 'fields', 'service', 'generation', 'run'];

function mayImport(file: string, imported: string): boolean {
	const [room = '', folder] = file.split('/');
	const wall = rooms[room];
	if (!wall || imported.startsWith('node:')) return true;
	if (!imported.startsWith('.')) return wall.libraries.test(imported);
	const target = path.posix.join(path.posix.dirname(file), imported);
	const [targetRoom, targetFolder = ''] = target.split('/');
	const staysInFolder =
		room !== 'nodes' || targetRoom !== 'nodes' || [folder, 'shared'].includes(targetFolder);
	const [from, to] = [file, target].map((name) =>
		SHARED_ROOMS.indexOf(/^nodes\/shared\/(\w+)/.exec(name)?.[1] ?? ''),
	);
	return wall.paths.test(target) && staysInFolder && (from === -1 || to! <= from!);
}

/** The files of this project that a file imports, without their endings. Imports of types count too. */
function neighboursOf(file: string): string[] {
	return importsOf(file)
		.filter((imported) => imported.startsWith('.'))
		.map((imported) => path.posix.join(path.posix.dirname(file), imported));
}

function importsOf(file: string): string[] {
	return preProcessFile(textOf(file), true, true).importedFiles.map(({ fileName }) => fileName);
}

/** A path of imports that returns to a file it has already passed. */
function findCircle(neighbours: ReadonlyMap<string, string[]>): string[] | undefined {
	const done = new Set<string>();
	const visit = (file: string, way: string[]): string[] | undefined => {
		if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
		if (done.has(file)) return undefined;
		done.add(file);
		for (const next of neighbours.get(file) ?? []) {
			const circle = visit(next, [...way, file]);
			if (circle) return circle;
		}
		return undefined;
	};
	for (const file of neighbours.keys()) {
		const circle = visit(file, []);
		if (circle) return circle;
	}
	return undefined;
}

function filesOf(room: string): string[] {
	const exclude = ['**/node_modules/**', '**/dist/**'];
	const found = globSync(`${room}/**/*.ts`, { cwd: ROOT, exclude });
	expect(found).not.toEqual([]);
	return found.map((file) => file.replaceAll(path.sep, '/'));
}

function textOf(file: string): string {
	return readFileSync(path.join(ROOT, file), 'utf8');
}

/** The labels of a parameter and of what it consists of. */
function labelsOf({ displayName, options = [] }: INodeProperties): string[] {
	const inner = options.flatMap((option) => {
		if ('values' in option) return [option.displayName, ...option.values.flatMap(labelsOf)];
		return 'type' in option ? labelsOf(option) : [];
	});
	return [displayName, ...inner];
}

test.each(Object.keys(rooms))('%s imports only what its room may', (room) => {
	const breaches = filesOf(room).flatMap((file) =>
		importsOf(file)
			.filter((imported) => !mayImport(file, imported))
			.map((imported) => `${file} imports ${imported}`),
	);
	expect(breaches).toEqual([]);
});

test('there are no circular imports, types included', () => {
	const files = filesOf('.');
	expect(files).toEqual(expect.arrayContaining([...filesOf('tools'), ...filesOf('test')]));
	const circle = findCircle(new Map(files.map((file) => [file.replace(/\.ts$/, ''), neighboursOf(file)])));
	expect(circle).toBeUndefined();
});

test('no file of client knows n8n, or the label of a parameter', () => {
	const labels = Object.values(nodeTypes).flatMap(({ description }) =>
		description.properties.flatMap(labelsOf),
	);
	expect(labels).toEqual(expect.arrayContaining(['Max Tokens', 'Max Wait (Seconds)', 'Low Balance Below']));
	// A label of one word counts where it is quoted.
	const words = ['n8n', ...labels.map((label) => (label.includes(' ') ? label : `"${label}"`))];
	const breaches = filesOf('client').flatMap((file) =>
		words.filter((word) => textOf(file).includes(word)).map((word) => `${file} says ${word}`),
	);
	expect(breaches).toEqual([]);
});
