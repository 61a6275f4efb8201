import type { ChatRequest, DecisionRequest, MessageRequest } from '../contract/types';

/** A decision request with a question of each type. */
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

/** A message request with every field that the service document shows with its rules. */
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

/** A chat request. */
export function chatRequest(model: string): ChatRequest {
	return { model, messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 32 };
}
