import { ACCEPTED_MODELS } from '../emulator/Emulator';

const DECISION = {
	questions: { question: [{ id: 'urgent', instructions: 'Is it urgent?' }] },
	stateSource: 'text',
	stateText: 'Help!',
};

/** What `n8nImage.ts` runs: nodes, each with a field that its item must have. */
export const IMAGE_RUNS = [
	{ type: 'decision', parameters: DECISION, field: 'urgent_yes' },
	// The outputs of this operation come from an expression over the parameters.
	{ type: 'decision', parameters: { ...DECISION, operation: 'route' }, field: 'route' },
	{
		type: 'message',
		parameters: {
			model: ACCEPTED_MODELS[0]!,
			messages: { message: [{ role: 'user', content: 'Hello!' }] },
		},
		field: 'text',
	},
	{
		type: 'voice',
		parameters: {
			operation: 'upload',
			audioSource: 'dataUri',
			audioDataUri: 'data:audio/mpeg;base64,SUQzBAAAAAAA',
			customName: 'my-voice',
			text: 'Hello!',
			model: 'vendor/voice-model',
		},
		field: 'customName',
	},
	{ type: 'batch', parameters: { batchId: 'batch_000001' }, field: 'status' },
	{ type: 'account', parameters: { operation: 'getBalance' }, field: 'total_balance' },
];
