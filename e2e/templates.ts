import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowFile } from './N8nSession';
import { PACKAGE_NAME, TEMPLATES_FOLDER } from './paths';

/** The placeholder that templates have in place of a model. */
export const MODEL_OF_TEMPLATES = 'vendor/model_name';

/** The names of the templates' files, in alphabetical order. */
export function templateFiles(): string[] {
	return readdirSync(TEMPLATES_FOLDER)
		.filter((name) => name.endsWith('.json'))
		.sort();
}

/**
 * Reads a template. Templates name no credentials, as they must fit any n8n; here the package's nodes get a place for
 * one, for the import to fill.
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
