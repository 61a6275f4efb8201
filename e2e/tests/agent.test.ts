import type { INode } from 'n8n-workflow';

import type { Editor } from '../Editor';
import type { WorkflowFile } from '../N8nSession';
import { ScriptedModel, type ModelReply } from './ScriptedModel';
import { openEditorForAll, type Setting } from './setting';
import { node, rowOf } from '../workflows';

let setting: Setting;
let editor: Editor;
let model: ScriptedModel;

const ANSWER = 'It is urgent: a card has been stolen.';
const JUDGED = 'My card was stolen, help me immediately!';
const QUESTION = 'Does the customer need help immediately?';

openEditorForAll((opened) => ({ setting, editor } = opened));

afterEach(async () => await model?.close());

/** An agent with one item and a scripted model. */
async function importAgent(replies: ModelReply[], tool?: INode): Promise<string> {
	model = await ScriptedModel.start(replies);
	const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent', {
		promptType: 'define',
		text: '={{ $json.chatInput }}',
		options: {},
	});
	const chatModel = node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', {
		model: { __rl: true, mode: 'id', value: 'scripted' },
		options: {},
	});
	const items = [{ chatInput: 'Is this urgent?', secret: 'of the conversation' }];
	const workflow: WorkflowFile = rowOf('Agent', items, [{ ...agent, typeVersion: 3 }]);
	workflow.nodes.push({
		...chatModel,
		typeVersion: 1.2,
		position: [160, 240],
		credentials: { openAiApi: { id: '', name: '' } },
	});
	workflow.connections.Model = {
		ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]],
	};
	if (tool) {
		workflow.nodes.push({ ...tool, position: [400, 240] });
		workflow.connections[tool.name] = { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] };
	}
	return await setting.session.importWorkflow(workflow, {
		...setting.credentials,
		openAiApi: await setting.session.createCredential('Scripted model', 'openAiApi', {
			apiKey: 'any',
			url: model.url,
		}),
	});
}

/** What the model was told about its tools. */
function offered(): Array<{ name: string; description: string; parameters: unknown }> {
	return model.requests[0]!.tools!.map(({ function: told }) => told);
}

/** What the model was told in answer to its call. */
function resultOfCall(): unknown {
	const result = model.requests[1]!.messages.find(({ role }) => role === 'tool')!;
	expect(result.tool_call_id).toBe('call-1');
	return JSON.parse(String(result.content));
}

test('an AI Agent uses the Decision node as its tool', async () => {
	const tool = node('Judge a Message', 'decisionTool', {
		descriptionType: 'manual',
		toolDescription: 'Tells whether a message is urgent',
		stateText: "={{ $fromAI('text', 'The message to judge') }}",
		questions: { question: [{ id: 'urgent', type: 'noul', instructions: QUESTION }] },
	});
	const id = await importAgent(
		[{ tool: 'Judge_a_Message', arguments: { text: JUDGED } }, { text: ANSWER }],
		tool,
	);

	const { status, error, outputs } = await setting.session.run(id, 'Start');

	expect({ status, error }).toEqual({ status: 'success', error: undefined });
	expect(outputs.Agent![0]![0]!.json).toEqual({ output: ANSWER });
	expect(offered()).toEqual([
		expect.objectContaining({ name: 'Judge_a_Message', description: 'Tells whether a message is urgent' }),
	]);
	const { body, rawBody } = setting.emulator.requests.at(-1)!;
	expect(body).toMatchObject({ state: JUDGED });
	expect(rawBody.toString()).not.toMatch(/toolCallId|call-1|conversation/);
	expect(resultOfCall()).toEqual([{ urgent: expect.closeTo(0.95, 1) as number, urgent_yes: true }]);
});

test('a node just added to an agent, with only a question: the agent supplies the text, and knows what the tool finds out', async () => {
	const id = await importAgent([
		{ tool: 'Inference_Decision', arguments: { text: JUDGED } },
		{ text: ANSWER },
	]);
	await editor.openWorkflow(id);
	await editor.addTool('Agent', 'Inference Decision');
	await editor.chooseCredential(setting.credentials.inferenceServiceApi!.id);
	await editor.fill('questions.question[0].instructions', QUESTION);
	await editor.closeNode();
	await editor.execute();

	const { status, error } = await setting.session.latestExecution(id);
	expect({ status, error }).toEqual({ status: 'success', error: undefined });
	const [tool] = offered();
	expect(tool!.name).toBe('Inference_Decision');
	expect(tool!.description).toContain(QUESTION);
	expect(tool!.parameters).toMatchObject({ properties: { text: { type: 'string' } }, required: ['text'] });
	expect(setting.emulator.requests.at(-1)!.body).toMatchObject({ state: JUDGED });
	expect(resultOfCall()).toEqual([{ answer: expect.closeTo(0.95, 1) as number, answer_yes: true }]);
});
