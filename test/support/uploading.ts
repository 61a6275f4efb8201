import type { INodeParameters } from 'n8n-workflow';

/** Returns the parameters of an upload of a voice style, as a data URI. */
export const uploading = (more: object) =>
	({
		operation: 'upload',
		audioSource: 'dataUri',
		audioDataUri: 'data:audio/mpeg;base64,SUQzBAAAAAAA',
		customName: 'narrator',
		text: 'Hello.',
		model: 'acme/voice-1',
		...more,
	}) as INodeParameters;
