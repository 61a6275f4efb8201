/** The emulator has placeholder models, because the ten of the service are not shown. */
export const ACCEPTED_MODELS = [
	'acme/quick-1',
	'acme/quick-2',
	'acme/vision-1',
	'acme/writer-1',
	'acme/coder-1',
	'globex/small-2',
	'globex/large-2',
	'globex/reason-2',
	'initech/chat-3',
	'initech/chat-3-mini',
];

/** This model exists, but is refused with 403: it needs real-name verification. */
export const RESTRICTED_MODEL = 'acme/verified-1';
