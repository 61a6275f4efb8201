import type {
	ChatRequest,
	DecisionRequest,
	MessageRequest,
	VoiceDeletion,
	VoiceUpload,
} from '../../contract/types';

/** Returns a decision request with a question of each type. */
export function decisionRequest(): DecisionRequest {
	return {
		model: 'Kev-4B',
		state: { subject: 'Card lost', body: 'My card was stolen, please help now!' },
		questions: {
			urgent: { type: 'noul', instructions: 'Is the message urgent?' },
			team: {
				type: 'choice',
				instructions: 'Which team should handle the message?',
				criteria: { cards: 'Cards and PINs', transfers: 'Bank transfers' },
			},
			upset: {
				type: 'score',
				instructions: 'How upset is the customer?',
				criteria: ['calm', 'annoyed', 'furious'],
			},
		},
	};
}

/** Returns a message request that has only texts. */
export function messageRequest(model: string): MessageRequest {
	return {
		model,
		messages: [{ role: 'user', content: 'Say hello.' }],
		max_tokens: 32,
		system: 'Be brief.',
		stop_sequences: ['THE END'],
		stream: false,
		temperature: 0.5,
		top_p: 0.9,
		top_k: 10,
	};
}

/** Returns a message request with tools, and a call of one. */
export function toolRequest(model: string): MessageRequest {
	return {
		...messageRequest(model),
		messages: [
			{ role: 'user', content: [{ type: 'text', text: 'Use lookup.' }] },
			{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'lookup', input: {} }] },
			{
				role: 'user',
				content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x', is_error: false }],
			},
		],
		tools: [{ name: 'lookup', description: 'Looks up', input_schema: { type: 'object' } }],
		tool_choice: { type: 'auto' },
	};
}

export function chatRequest(model: string): ChatRequest {
	return { model, messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 32, stream: false };
}

/** Returns the parts of an upload, with the recording as a data URI. */
export function voiceUpload(): VoiceUpload {
	return { model: 'voice-1', customName: 'café:1', text: 'Hello.', audio: 'data:audio/mpeg;base64,AAAA' };
}

/** Returns a request to delete a voice style, which need not exist. */
export function voiceDeletion(): VoiceDeletion {
	return { uri: 'speech:a:b:c' };
}

/** Returns a body for each request schema of the contract, with all fields of the schema. */
export function validRequests(model: string): Record<string, object> {
	return {
		DecisionRequest: decisionRequest(),
		MessageRequest: toolRequest(model),
		ChatRequest: chatRequest(model),
		VoiceUpload: voiceUpload(),
		VoiceDeletion: voiceDeletion(),
	};
}
