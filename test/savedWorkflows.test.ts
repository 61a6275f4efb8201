import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { RecordedMultipart } from '../emulator/Emulator';
import { outputsOf, runWorkflow, type WorkflowRun } from '../engine/runWorkflow';
import { credentialTypes, nodeTypes } from './runNode';
import { useEmulator } from './useEmulator';

/**
 * Workflows as people have saved them. They must send the same requests and give items of the same shape for ever: a file
 * is never changed and its snapshot never updated; what is new gets a file of its own.
 */
const FOLDER = join(__dirname, 'savedWorkflows');

const emulator = useEmulator();

test.each(readdirSync(FOLDER))('%s does what it did when it was saved', async (file) => {
	const workflow = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowRun['workflow'];
	const run = await runWorkflow({
		workflow,
		nodeTypes,
		credentialTypes,
		credentials: { inferenceServiceApi: { baseUrl: emulator.url, apiKey: emulator.apiKey } },
	});
	const outputs = outputsOf(run, 'Node');
	const requests = emulator.requests
		.map(({ method, path, body, multipart }) => ({
			method,
			path,
			body,
			...(multipart && partsOf(multipart)),
		}))
		.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b), 'en'));
	expect({
		requests,
		outputs: outputs.map((items) => items.map(({ json }) => shapeOf(json))),
	}).toMatchSnapshot();
});

function partsOf({ fields, files }: RecordedMultipart): object {
	return { fields, files: files.map(({ bytes: _bytes, ...file }) => file) };
}

/** Names and types; what a model answers may change. */
function shapeOf(json: IDataObject): object {
	return Object.fromEntries(
		Object.entries(json).map(([name, value]) => [
			name,
			value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value,
		]),
	);
}
