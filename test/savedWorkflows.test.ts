import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { RecordedMultipart } from '../emulator/Emulator';
import { outputsOf, runWorkflow, type WorkflowRun } from '../engine/runWorkflow';
import { testWhere } from './host';
import { modelUser, type Use } from './modelUser';
import { credentialTypes, nodeTypes } from './runNode';
import { useEmulator } from './useEmulator';

/**
 * Workflows as people have saved them. They must always send the same requests and give items of the same shape: a file
 * is never changed and its snapshot never updated; what is new gets its own file.
 */
const FOLDER = join(__dirname, 'savedWorkflows');

/** What a node of n8n's does with a chat model: a conversation with a tool, longer than the service takes. */
const converse: Use = async (model) => {
	const lookUp = new DynamicStructuredTool({
		name: 'look_up',
		description: 'Looks a city up',
		schema: z.object({ city: z.string() }),
		func: async () => '',
	});
	const turns = Array.from({ length: 6 }, (_, turn) => [
		new HumanMessage(`Question ${turn}`),
		new AIMessage({
			content: `Round ${turn}`,
			tool_calls: [{ id: `call-${turn}`, name: 'look_up', args: { city: `City ${turn}` } }],
		}),
		new ToolMessage({ tool_call_id: `call-${turn}`, content: `Result ${turn}` }),
		new AIMessage(`Answer ${turn}`),
	]).flat();
	const messages = [new SystemMessage('Be brief.'), ...turns, new HumanMessage('And now?')];
	return (await model.bindTools!([lookUp]).invoke(messages)).content;
};

const emulator = useEmulator();

const TITLE = '%s does what it did when it was saved';
const files = readdirSync(FOLDER);
const needsSdk = (file: string) => file.startsWith('chat-model');

test.each(files.filter((file) => !needsSdk(file)))(TITLE, expectTheSame);

testWhere('aiNodeSdk').each(files.filter(needsSdk))(TITLE, expectTheSame);

async function expectTheSame(file: string): Promise<void> {
	const workflow = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowRun['workflow'];
	const run = await runWorkflow({
		workflow,
		nodeTypes: { ...nodeTypes, 'test.modelUser': modelUser(converse) },
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
}

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
