import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowFile } from './N8nSession';
import { PACKAGE_NAME, TEMPLATES_FOLDER } from './paths';

/** The templates contain this model name as a placeholder. */
export const MODEL_OF_TEMPLATES = 'vendor/model_name';

/** Returns the file names of the templates, in alphabetical order. */
export function templateFiles(): string[] {
	return readdirSync(TEMPLATES_FOLDER)
		.filter((name) => name.endsWith('.json'))
		.sort();
}

/**
 * Reads a template. Templates name no credentials, because they must work in any n8n. So each node of the package gets an empty
 * credential here, which `importWorkflow` replaces.
 */
export function readTemplate(file: string): WorkflowFile {
	const template = JSON.parse(readFileSync(join(TEMPLATES_FOLDER, file), 'utf8')) as WorkflowFile;
	return {
		...template,
		nodes: template.nodes.map((node) =>
			node.type.startsWith(`${PACKAGE_NAME}.`)
				? { credentials: { inferenceServiceApi: { id: '', name: '' } }, ...node }
				: node,
		),
	};
}
