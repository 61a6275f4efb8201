import type { INode } from 'n8n-workflow';

import { ScriptedModel } from './ScriptedModel';
import { openSetting, type Setting } from './setting';
import { node, rowOf } from '../workflows';

let setting: Setting;
let model: ScriptedModel;

const ANSWER = 'It is urgent: a card has been stolen.';
const JUDGED = 'My card was stolen, help me immediately!';

beforeAll(async () => {
	setting = await openSetting();
	model = await ScriptedModel.start([
		{ tool: 'Judge_a_Message', arguments: { text: JUDGED } },
		{ text: ANSWER },
	]);
});

afterAll(async () => {
	await model?.close();
	await setting?.close();
});

test('an AI Agent uses the Decision node as its tool', async () => {
	const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent', {
		promptType: 'define',
		text: '={{ $json.chatInput }}',
		options: {},
	});
	const chatModel = node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', {
		model: { __rl: true, mode: 'id', value: 'scripted' },
		options: {},
	});
	const tool = node('Judge a Message', 'decisionTool', {
		descriptionType: 'manual',
		toolDescription: 'Tells whether a message is urgent',
		stateText: "={{ $fromAI('text', 'The message to judge') }}",
		questions: {
			question: [{ id: 'urgent', type: 'noul', instructions: 'Does the customer need help immediately?' }],
		},
	});
	const items = [{ chatInput: 'Is this urgent?', secret: 'of the conversation' }];
	const workflow = rowOf('Agent', items, [{ ...agent, typeVersion: 3 }]);
	workflow.nodes.push(
		{ ...chatModel, typeVersion: 1.2, credentials: { openAiApi: { id: '', name: '' } } } satisfies INode,
		tool,
	);
	workflow.connections.Model = {
		ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]],
	};
	workflow.connections[tool.name] = { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] };
	const id = await setting.session.importWorkflow(workflow, {
		...setting.credentials,
		openAiApi: await setting.session.createCredential('Scripted model', 'openAiApi', {
			apiKey: 'any',
			url: model.url,
		}),
	});

	const { status, error, outputs } = await setting.session.run(id, 'Start');

	expect({ status, error }).toEqual({ status: 'success', error: undefined });
	expect(outputs.Agent![0]![0]!.json).toEqual({ output: ANSWER });
	const [offered, told] = model.requests;
	expect(offered!.tools!.map(({ function: { name, description } }) => ({ name, description }))).toEqual([
		{ name: 'Judge_a_Message', description: 'Tells whether a message is urgent' },
	]);
	const { body, rawBody } = setting.emulator.requests.at(-1)!;
	expect(body).toMatchObject({ state: JUDGED });
	expect(rawBody.toString()).not.toMatch(/toolCallId|call-1|conversation/);
	const result = told!.messages.find(({ role }) => role === 'tool')!;
	expect(result.tool_call_id).toBe('call-1');
	expect(JSON.parse(String(result.content))).toEqual([
		{ urgent: expect.closeTo(1, 1) as number, urgent_yes: true },
	]);
});
