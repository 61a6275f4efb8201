import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, INodeExecutionData } from 'n8n-workflow';

import type { Emulator } from '../../emulator/Emulator';
import { outputsOf, runWorkflow, type WorkflowRun } from '../../engine/runWorkflow';
import { testWhere } from './host';
import { modelUser, type Use } from './modelUser';
import { credentialTypes, nodeTypes } from './runNode';

type SavedWorkflow = WorkflowRun['workflow'];

const FOLDER = join(__dirname, '../nodes/savedWorkflows');

/** A workflow whose file ends in `-complete.json` fills in every parameter. */
export const SAVED_FILES = readdirSync(FOLDER);

export const COMPLETE_FILES = SAVED_FILES.filter((file) => file.endsWith('-complete.json'));

export function readWorkflow(file: string): SavedWorkflow {
	return JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as SavedWorkflow;
}

/** Returns the node of this package that a saved workflow tests. */
export function nodeOf({ nodes }: SavedWorkflow): INode {
	return nodes.find(({ type }) => type in nodeTypes)!;
}

/**
 * Runs a saved workflow.
 * @param use is called with the chat model, in workflows that have one
 */
export async function runSavedWorkflow(
	workflow: SavedWorkflow,
	emulator: Emulator,
	use: Use,
): Promise<INodeExecutionData[][]> {
	const run = await runWorkflow({
		workflow,
		workflowId: undefined,
		nodeTypes: { ...nodeTypes, 'test.modelUser': modelUser(use) },
		credentialTypes,
		credentials: { inferenceServiceApi: { baseUrl: emulator.url, apiKey: emulator.apiKey } },
	});
	return outputsOf(run, 'Node');
}

/** Runs a test for each of the files. An n8n that has no chat models skips theirs. */
export function testEachFile(title: string, files: string[], run: (file: string) => Promise<void>): void {
	const needsSdk = (file: string) => file.startsWith('chat-model');
	test.each(files.filter((file) => !needsSdk(file)))(title, run);
	testWhere('aiNodeSdk').each(files.filter(needsSdk))(title, run);
}
