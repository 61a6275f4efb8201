import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';

const DOCUMENT_FILE = resolve(__dirname, '../../contract/openapi.yaml');
const TYPES_FILE = resolve(__dirname, '../../contract/types.ts');

async function typesOfDocument(): Promise<string> {
	const options = { rootTypes: true, rootTypesNoSchemaPrefix: true };
	const nodes = await openapiTS(pathToFileURL(DOCUMENT_FILE), options);
	const style = await resolveConfig(TYPES_FILE);
	return await format(COMMENT_HEADER + astToString(nodes), { ...style, parser: 'typescript' });
}

/** Generates the types. With the argument `check`, it checks the document instead, and that its types are up to date. */
async function main(): Promise<void> {
	const types = await typesOfDocument();
	if (process.argv[2] !== 'check') return await writeFile(TYPES_FILE, types);
	const config = await createConfig({ extends: ['recommended'] });
	const problems = await lint({ ref: DOCUMENT_FILE, config });
	if (problems.length > 0) {
		formatProblems(problems, { format: 'codeframe', version: '', totals: getTotals(problems) });
		process.exitCode = 1;
	}
	if ((await readFile(TYPES_FILE, 'utf8')) !== types) {
		console.error('contract/types.ts is stale: run `npm run contract:generate`.');
		process.exitCode = 1;
	}
}

void main();
