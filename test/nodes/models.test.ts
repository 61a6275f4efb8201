import { LoadOptionsContext } from 'n8n-core';
import {
	NodeApiError,
	NodeOperationError,
	Workflow,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { CredentialsStore } from '../../engine/CredentialsStore';
import { nodeTypesOf } from '../../engine/builtInNodes';
import { evaluate } from '../support/decisionInEditor';
import { fixedTextHint } from '../../nodes/shared/fields/fixedTextHint';
import { nodeDriver, wrongParameter } from '../support/nodeDriver';
import { modelUserOf } from '../support/modelUser';
import { credentialTypes, nodeTypes } from '../support/runNode';
import { useEmulator } from '../support/useEmulator';

const emulator = useEmulator();

const question = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };
const asking = { questions: { question: [question] } } as unknown as INodeParameters;
const drivers = {
	decision: nodeDriver('decision', emulator, { items: [{ text: 'hello', mine: 'acme/quick-2' }] }),
	message: nodeDriver('message', emulator, { items: [{ text: 'hello', mine: 'acme/quick-2' }] }),
};
const said = { messages: { message: [{ role: 'user', content: 'Hi' }] } };

/** Returns the parameters of each node with this model. */
const withModel = {
	decision: (model: unknown) => ({ ...asking, options: { model } }),
	message: (model: unknown) => ({ ...said, model }),
} as Record<keyof typeof drivers, (model: unknown) => INodeParameters>;

describe.each(['decision', 'message'] as const)('the model of the node %s', (node) => {
	const locator = (mode: string, value: string) => ({ __rl: true, mode, value });

	test.each([
		['text that an older workflow stored', 'acme/quick-2'],
		['an expression that an older workflow stored', '={{ $json.mine }}'],
		['an ID', locator('id', 'acme/quick-2')],
		['an ID with blanks around it', locator('id', ' acme/quick-2\n')],
		['an ID by an expression', locator('id', '={{ $json.mine }}')],
		['a choice from the list', { ...locator('list', 'acme/quick-2'), cachedResultName: 'quick' }],
	])('is sent: %s', async (_, model) => {
		await drivers[node].run(withModel[node](model));
		expect(emulator.requests[0]!.body).toMatchObject({ model: 'acme/quick-2' });
	});

	test('with braces has a hint if its switch stands on Fixed', () => {
		const stored = withModel[node](locator('id', '{{ $json.mine }}'));
		expect(evaluate(fixedTextHint.displayCondition!, stored)).toBe(true);
	});
});

describe('without a model', () => {
	const blank = { __rl: true, mode: 'id', value: ' ' };

	const unseen = { ...blank, value: '\u200b' };

	test.each([[undefined], [''], ['='], [blank], [{ ...blank, value: '= ' }], [unseen]])(
		'a message with the model %j is refused',
		async (model) => {
			expect(await drivers.message.refusal(withModel.message(model))).toMatch(
				wrongParameter('model', 'must not be empty'),
			);
		},
	);

	test.each([
		[undefined],
		[''],
		['='],
		[null],
		[blank],
		[{ ...blank, value: '= ' }],
		[{ ...blank, mode: 'list', value: '' }],
	])('a decision with the model %j has its default', async (model) => {
		await drivers.decision.json(withModel.decision(model));
		expect(emulator.requests[0]!.body).toMatchObject({ model: 'Kev-4B' });
	});
});

describe('a model whose expression has no value', () => {
	const chat = {
		refusal: async (parameters: INodeParameters) => {
			const used = await modelUserOf(emulator, '')(async (model) => await model.invoke('Hi'), { parameters });
			expect(emulator.requests).toEqual([]);
			expect(used.result).toThrow();
			return String(used.run.data.resultData.error?.description);
		},
	};
	const refusals = {
		decision: async (model: unknown) => await drivers.decision.refusal(withModel.decision(model)),
		'decision in route': async (model: unknown) =>
			await drivers.decision.refusal({ ...withModel.decision(model), operation: 'route' }),
		message: async (model: unknown) => await drivers.message.refusal(withModel.message(model)),
		'message in chat': async (model: unknown) =>
			await drivers.message.refusal({ ...withModel.message(model), operation: 'chat' }),
		chatModel: async (model: unknown) => await chat.refusal({ model } as INodeParameters),
	};

	test.each(Object.keys(refusals) as Array<keyof typeof refusals>)(
		'is refused by the node: %s',
		async (node) => {
			const path = node.startsWith('decision') ? 'options.model' : 'model';
			for (const [text, lost = text] of [
				['{{ $json.gone }}'],
				['{{ null }}'],
				['{{ " " }}'],
				['acme/{{ $json.gone }}', '{{ $json.gone }}'],
				['{{ "acme" }}/{{ $json.gone.deeper }}', '{{ $json.gone.deeper }}'],
			]) {
				const value = `=${text}`;
				for (const model of [value, { __rl: true, mode: 'id', value }, { __rl: true, mode: 'list', value }]) {
					expect(await refusals[node](model)).toContain(
						wrongParameter(path, `must have a value, but ${lost} has none`),
					);
				}
			}
		},
	);

	test('fails its own item only', async () => {
		const items = [{ mine: 'Kev-4B', text: 'a' }, { text: 'b' }, { mine: 'Kev-4B', text: 'c' }];
		const model = { __rl: true, mode: 'id', value: '={{ $json.mine }}' };
		const [done] = await drivers.decision.outputs(withModel.decision(model), {
			items,
			onError: 'continueRegularOutput',
		});
		expect(done!.map(({ json }) => 'error' in json)).toEqual([false, true, false]);
		expect(emulator.requests).toHaveLength(2);
	});
});

test('the subtitle of the chat model is the model, however it is stored', () => {
	const { subtitle } = nodeTypes['n8n-nodes-inference-service.chatModel']!.description;
	for (const model of ['acme/a', { __rl: true, mode: 'list', value: 'acme/a' }]) {
		expect(evaluate(String(subtitle), { model })).toBe('acme/a');
	}
});

describe.each(['decision', 'message', 'chatModel'] as const)('the list of models of the node %s', (name) => {
	/** Loads the list as the editor does. */
	async function search(filter?: string) {
		const type = nodeTypes[`n8n-nodes-inference-service.${name}`]!;
		const node = {
			id: '1',
			name: 'Node',
			type: `n8n-nodes-inference-service.${name}`,
			typeVersion: 1,
			position: [0, 0] as [number, number],
			parameters: {},
			credentials: { inferenceServiceApi: { id: '1', name: 'Service' } },
		};
		const workflow = new Workflow({
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes: nodeTypesOf({ [node.type]: type }),
		});
		const data = { baseUrl: emulator.url, apiKey: emulator.apiKey };
		const additionalData = {
			credentialsHelper: new CredentialsStore(credentialTypes, { inferenceServiceApi: data }, () => {}),
		} as unknown as IWorkflowExecuteAdditionalData;
		const context = new LoadOptionsContext(workflow, node, additionalData, 'parameters.model');
		return await type.methods!.listSearch!.searchModels!.call(context, filter);
	}

	const answer = (body: unknown) =>
		emulator.answer(JSON.stringify(body), { path: '/models', times: Infinity });

	const named = (...ids: string[]) => ({ results: ids.map((id) => ({ name: id, value: id })) });

	test.each<[name: string, body: unknown, ids: string[]]>([
		// https://github.com/ggml-org/llama.cpp/tree/master/tools/server
		[
			'llama.cpp',
			{
				models: [{ name: 'Kev-4B', model: 'Kev-4B', type: 'model', capabilities: ['completion'] }],
				object: 'list',
				data: [{ id: 'Kev-4B', object: 'model', owned_by: 'llamacpp', meta: { n_params: 4 } }],
			},
			['Kev-4B'],
		],
		// https://docs.ollama.com/api/openai-compatibility
		[
			'Ollama',
			{
				object: 'list',
				data: [
					{ id: 'nimble:latest', object: 'model', created: 1, owned_by: 'library' },
					{ id: 'kev:4b', object: 'model', created: 1, owned_by: 'library' },
				],
			},
			['kev:4b', 'nimble:latest'],
		],
		// https://localai.io/basics/getting_started/
		[
			'LocalAI',
			{ object: 'list', data: [{ id: 'laya-vllm-cpp', object: 'model' }, { id: 'kev-0.8b-vllm-cpp' }] },
			['kev-0.8b-vllm-cpp', 'laya-vllm-cpp'],
		],
		["Kev's own server", { models: [{ name: 'kev-latest' }, { name: 'kev-4b' }] }, ['kev-4b', 'kev-latest']],
		[
			'a server with odd entries',
			{ data: [null, { id: 'b' }, { id: '' }, 'x', { id: 'a' }, { id: 'b' }] },
			['a', 'b'],
		],
		['a server without a model', { data: [] }, []],
	])('has the sorted IDs of the models of %s', async (_, body, ids) => {
		answer(body);
		expect(await search()).toEqual(named(...ids));
		expect(emulator.requests).toMatchObject([{ method: 'GET', path: '/models' }]);
		expect(emulator.requests[0]!.headers.authorization).toBe(`Bearer ${emulator.apiKey}`);
	});

	test('is filtered by what a person types', async () => {
		answer({ data: ['acme/Quick-1', 'acme/other', 'quick'].map((id) => ({ id })) });
		expect(await search('QUICK')).toEqual(named('acme/Quick-1', 'quick'));
	});

	test.each<[string, Parameters<typeof emulator.fault>[0] | undefined]>([
		['status 404, as the service itself says', undefined],
		['status 405', { status: 405, body: 'no' }],
		['a page', { status: 200, body: '<html><title>Welcome</title></html>' }],
		['JSON without a list', { status: 200, body: '{"object":"list"}' }],
		['a list that is none', { status: 200, body: '{"data":"none"}' }],
	])('says to enter the ID if the server has no list: %s', async (_, fault) => {
		if (fault) emulator.fault({ path: '/models', times: Infinity, ...fault });
		const failed = search();
		await expect(failed).rejects.toBeInstanceOf(NodeOperationError);
		await expect(failed).rejects.toThrow(
			"The server has no list of models. Choose 'By ID', and enter the model's ID.",
		);
	});

	test('says why it could not be loaded if the server refuses the request', async () => {
		emulator.fault({ path: '/models', status: 401, body: 'Invalid token' });
		const failed = search();
		await expect(failed).rejects.toBeInstanceOf(NodeApiError);
		await expect(failed).rejects.toMatchObject({ httpCode: '401' });
	});
});
