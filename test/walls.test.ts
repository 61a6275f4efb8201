import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { preProcessFile } from 'typescript';

const root = path.resolve(__dirname, '..');

/** What the files of each room may import: paths of this project, and libraries. Node's own modules are the scanner's concern. */
const rooms: Record<string, { paths: RegExp; libraries: RegExp }> = {
	contract: { paths: /^contract\//, libraries: /^$/ },
	client: { paths: /^(client|contract)\//, libraries: /^eventsource-parser$/ },
	credentials: { paths: /^(credentials|client)\//, libraries: /^n8n-workflow$/ },
	nodes: { paths: /^(nodes|client)\/|^contract\/types$/, libraries: /^(n8n-workflow|zod-to-json-schema)$/ },
	emulator: { paths: /^(emulator|contract)\//, libraries: /^(?!n8n-|@n8n\/)/ },
};

function mayImport(file: string, imported: string): boolean {
	const [room = '', folder] = file.split('/');
	const wall = rooms[room];
	if (!wall || imported.startsWith('node:')) return true;
	if (!imported.startsWith('.')) return wall.libraries.test(imported);
	const target = path.posix.join(path.posix.dirname(file), imported);
	const [targetRoom, targetFolder = ''] = target.split('/');
	const staysInFolder =
		room !== 'nodes' || targetRoom !== 'nodes' || [folder, 'shared'].includes(targetFolder);
	return wall.paths.test(target) && staysInFolder;
}

test.each(Object.keys(rooms))('%s imports only what its room may', (room) => {
	const files = globSync(`${room}/**/*.ts`, { cwd: root }).map((file) => file.replaceAll(path.sep, '/'));
	expect(files).not.toEqual([]);
	const breaches = files.flatMap((file) =>
		preProcessFile(readFileSync(path.join(root, file), 'utf8'), true, true)
			.importedFiles.map((imported) => imported.fileName)
			.filter((imported) => !mayImport(file, imported))
			.map((imported) => `${file} imports ${imported}`),
	);
	expect(breaches).toEqual([]);
});
