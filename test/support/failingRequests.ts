import { DynamicTool } from '@langchain/core/tools';
import type { INodeParameters } from 'n8n-workflow';

import type { Emulator } from '../../emulator/Emulator';
import { messageWithTools, MODEL, saying } from './messageWithTools';
import { modelUserOf } from './modelUser';
import { nodeDriver, type NodeInput } from './nodeDriver';

/**
 * Sends one request with these options, and returns the description of its error. The caller must have told the emulator to let the
 * request fail.
 */
export type FailingRequest = (
	options: INodeParameters,
	service?: { url: string; apiKey: string },
) => Promise<string>;

const tool = new DynamicTool({ name: 'look_up', description: 'Finds an order', func: async () => 'found' });

const question = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };
const hello = { model: MODEL, ...saying('Hi') };
const uploading = {
	operation: 'upload',
	audioSource: 'dataUri',
	audioDataUri: 'data:audio/mpeg;base64,AAAA',
	customName: 'mine',
	text: 'Hello',
	model: 'vendor/voice',
};

/** Returns every kind of request that the nodes send, by its effect at the service, so that a test can let each fail. */
export function failingRequests(emulator: Emulator) {
	const requestOf = (type: string, parameters: INodeParameters, input: NodeInput = {}): FailingRequest => {
		const { options, ...others } = parameters;
		return async (further, service = emulator) => {
			const asked = { ...others, options: { ...(options as object), ...further } };
			return (await nodeDriver(type, emulator, { ...input, service }).error(asked)).description!;
		};
	};

	const runWithTools = messageWithTools(emulator);

	const withTools: FailingRequest = async (options) => {
		const parameters = { ...saying('look_up {"input": "7"}'), options };
		try {
			(await runWithTools(parameters, { connected: [tool] })).outputs();
		} catch (error) {
			return (error as { description: string }).description;
		}
		return '';
	};

	const throughModel =
		(isStreamed: boolean): FailingRequest =>
		async (options, { url, apiKey } = emulator) => {
			const { traces } = await modelUserOf({ url, apiKey }, MODEL)(
				async (model) => {
					if (!isStreamed) return await model.invoke('Hi');
					for await (const _chunk of await model.stream('Hi'));
					return undefined;
				},
				{ options },
			);
			return traces.at(-1)!.error!.description!;
		};

	/** These requests cost money. */
	const billed: Record<string, FailingRequest> = {
		'a decision': requestOf('decision', { questions: { question: [question] } }, { items: [{ n: 1 }] }),
		'a message': requestOf('message', hello),
		'a streamed chat': requestOf('message', { operation: 'chat', ...hello }),
		'a chat model': throughModel(false),
		'a streamed chat model': throughModel(true),
	};

	/** These requests are free, but change something at the service. */
	const changing: Record<string, FailingRequest> = {
		'an upload': requestOf('voice', uploading),
		'a deletion': requestOf('voice', { operation: 'delete', uri: 'speech:mine:a:b' }),
		'a cancellation': requestOf('batch', { batchId: 'batch_1' }),
	};

	const reading: Record<string, FailingRequest> = {
		'a list': requestOf('voice', { operation: 'getAll' }),
		'an account': requestOf('account', {}),
	};

	return { billed, changing, reading, withTools };
}
