import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { RecordedMultipart } from '../../emulator/Emulator';
import { CAPABILITIES } from '../support/host';
import type { Use } from '../support/modelUser';
import { nodeTypes } from '../support/runNode';
import {
	COMPLETE_FILES,
	nodeOf,
	readWorkflow,
	runSavedWorkflow,
	SAVED_FILES,
	testEachFile,
} from '../support/savedWorkflows';
import { useEmulator } from '../support/useEmulator';

/*
 * The folder savedWorkflows has workflows as people have saved them. Each must always send the same requests, and give
 * items of the same shape: that is what the snapshot keeps. What the model answers may change.
 *
 * A file is never changed, and its snapshot is never updated. A new operation or parameter gets a new file.
 */

/** Uses a chat model as an AI Agent does, in a conversation with a tool that is longer than the service accepts. */
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

// This test tells what an older version of n8n lacks when `npm run compatibility` runs it there.
test.each(Object.entries(CAPABILITIES))('this n8n has the capability %s', (_, { isThere }) => {
	expect(isThere()).toBe(true);
});

testEachFile('%s does what it did when it was saved', SAVED_FILES, async (file) => {
	const outputs = await runSavedWorkflow(readWorkflow(file), emulator, converse);
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

test('every operation of every node has a complete workflow in savedWorkflows', () => {
	const saved = COMPLETE_FILES.map((file) => {
		const { type, parameters } = nodeOf(readWorkflow(file));
		return `${type} ${String(parameters.operation)}`;
	});
	const operations = Object.entries(nodeTypes).flatMap(([type, { description }]) => {
		const chooser = description.properties.find(({ name }) => name === 'operation');
		return ((chooser?.options as INodePropertyOptions[] | undefined) ?? []).map(
			({ value }) => `${type} ${String(value)}`,
		);
	});
	expect(operations.filter((operation) => !saved.includes(operation))).toEqual([]);
});

function partsOf({ fields, files }: RecordedMultipart): object {
	return { fields, files: files.map(({ bytes: _bytes, ...file }) => file) };
}

/** Returns only the names and types of fields, because the model's answers may change. */
function shapeOf(json: IDataObject): object {
	return Object.fromEntries(
		Object.entries(json).map(([name, value]) => [
			name,
			value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value,
		]),
	);
}
