import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowFile } from './N8nSession';
import { PACKAGE_NAME, ROOT_FOLDER, TEMPLATES_FOLDER } from './paths';

/** The placeholder that templates have in place of a model. */
export const MODEL_OF_TEMPLATES = 'vendor/model_name';

/** Templates of former versions, as people have imported them. */
export const SAVED_TEMPLATES_FOLDER = join(ROOT_FOLDER, 'test/savedTemplates');

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
export function readTemplate(file: string, folder = TEMPLATES_FOLDER): WorkflowFile {
	const template = JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowFile;
	return {
		...template,
		nodes: template.nodes.map((node) =>
			node.type.startsWith(`${PACKAGE_NAME}.`)
				? { credentials: { inferenceServiceApi: { id: '', name: '' } }, ...node }
				: node,
		),
	};
}
