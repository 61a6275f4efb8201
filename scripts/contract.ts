import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';

const DOCUMENT_FILE = resolve(__dirname, '../contract/openapi.yaml');
const TYPES_FILE = resolve(__dirname, '../contract/types.ts');

async function typesOfDocument(): Promise<string> {
	const nodes = await openapiTS(pathToFileURL(DOCUMENT_FILE), {
		rootTypes: true,
		rootTypesNoSchemaPrefix: true,
	});
	return await format(COMMENT_HEADER + astToString(nodes), {
		...(await resolveConfig(TYPES_FILE)),
		parser: 'typescript',
	});
}

async function generate(): Promise<boolean> {
	await writeFile(TYPES_FILE, await typesOfDocument());
	return true;
}

async function check(): Promise<boolean> {
	const fresh = (await readFile(TYPES_FILE, 'utf8')) === (await typesOfDocument());
	if (!fresh) console.error('contract/types.ts is stale: run `npm run contract:generate`.');
	return fresh;
}

async function lintDocument(): Promise<boolean> {
	const config = await createConfig({ extends: ['recommended'] });
	const problems = await lint({ ref: DOCUMENT_FILE, config });
	if (problems.length > 0) {
		formatProblems(problems, { format: 'codeframe', version: '', totals: getTotals(problems) });
	}
	return problems.length === 0;
}

const commands: Record<string, () => Promise<boolean>> = { generate, check, lint: lintDocument };

async function main(): Promise<void> {
	const command = commands[process.argv[2] ?? ''];
	if (command === undefined) {
		console.error(`Usage: contract ${Object.keys(commands).join(' | ')}`);
		process.exitCode = 2;
		return;
	}
	if (!(await command())) process.exitCode = 1;
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
