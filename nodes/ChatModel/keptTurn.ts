import type { MessageContent } from '@n8n/ai-node-sdk';

import { isRecord } from '../../client/isRecord';
import type { ContentBlock } from '../../client/GeneratedMessage';

/** The field of a part of the SDK's kind `provider` that holds the blocks of a turn. */
const KEPT_TURN = 'inferenceServiceTurn';

/** A part of a message that carries a whole turn of the assistant through n8n. */
export function keepTurn(content: ContentBlock[]): MessageContent {
	return { type: 'provider', value: { [KEPT_TURN]: content } };
}

/** The turn that the parts carry; undefined if there is none, as with other chat models. */
export function keptTurn(parts: MessageContent[]): ContentBlock[] | undefined {
	for (const part of parts) {
		if (part.type !== 'provider') continue;
		const content = part.value[KEPT_TURN];
		if (Array.isArray(content) && content.every(isRecord)) return content;
	}
	return undefined;
}
