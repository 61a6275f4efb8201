const MILLISECONDS = { type: 'number', minimum: 0 };
const AMOUNT = { type: 'string' };
const POINT = { enum: ['before-headers', 'after-headers', 'mid-body'] };
const HEADERS = {
	type: 'object',
	additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
};
const PIECES = {
	type: 'array',
	items: closedObject(
		{ bytes: { type: 'string' }, delayMs: MILLISECONDS, times: { type: 'integer', minimum: 1 } },
		['bytes'],
	),
};
const FAULT = closedObject({
	method: { type: 'string' },
	path: { type: 'string' },
	bodyIncludes: { type: 'string' },
	times: { type: 'integer', minimum: 1 },
	skip: { type: 'integer', minimum: 0 },
	probability: { type: 'number', minimum: 0, maximum: 1 },
	delayMs: MILLISECONDS,
	status: { type: 'integer', minimum: 200, maximum: 599 },
	headers: HEADERS,
	body: { type: ['string', 'object', 'array'] },
	stream: PIECES,
	end: { enum: ['close', 'cut', 'stall'] },
	keep: { type: 'integer' },
	append: PIECES,
	truncate: { type: 'boolean' },
	split: { anyOf: [{ const: 'every-byte' }, { type: 'array', items: { type: 'integer', minimum: 0 } }] },
	splitDelayMs: MILLISECONDS,
	cut: POINT,
	stall: POINT,
});
const REFUSAL_RULES = {
	limit: { enum: ['RPM', 'TPM', 'IPM', 'RPD', 'TPD', 'IPD'] },
	counts: { enum: ['requests', 'tokens'] },
	perModel: { type: 'boolean' },
	retryAfter: { anyOf: [{ type: 'boolean' }, { type: 'number', minimum: 0 }, { const: 'date' }] },
};
const WINDOW = { max: { type: 'number', minimum: 0 }, windowMs: { type: 'number', exclusiveMinimum: 0 } };
const SCRIPTED_REPLY = closedObject({
	text: { type: 'string' },
	toolCalls: {
		type: 'array',
		items: closedObject({ name: { type: 'string' }, input: { type: 'object' }, id: { type: 'string' } }, [
			'name',
			'input',
		]),
	},
	thinking: { type: 'string' },
	signature: { type: 'string' },
	citations: { type: 'array', items: { type: 'object' } },
	stopReason: { enum: ['end_turn', 'max_tokens', 'tool_use', 'refusal'] },
	usage: closedObject({ input_tokens: { type: 'integer' }, output_tokens: { type: 'integer' } }, [
		'input_tokens',
		'output_tokens',
	]),
});

/** A fault without functions, or an array of them. */
export const FAULTS_SCHEMA = { if: { type: 'array' }, then: { type: 'array', items: FAULT }, else: FAULT };

export const RATE_LIMIT_SCHEMA = {
	anyOf: [
		{ type: 'null' },
		closedObject(
			{
				...REFUSAL_RULES,
				kind: { const: 'token-bucket' },
				perSecond: { type: 'number', minimum: 0 },
				burst: { type: 'number', minimum: 0 },
			},
			['perSecond', 'burst', 'limit'],
		),
		closedObject(
			{
				...REFUSAL_RULES,
				...WINDOW,
				kind: { const: 'fixed-window' },
				startsAt: { enum: ['clock', 'first-request'] },
			},
			['kind', 'max', 'windowMs', 'startsAt', 'limit'],
		),
		closedObject(
			{ ...REFUSAL_RULES, ...WINDOW, kind: { const: 'sliding-window' }, countsRefused: { type: 'boolean' } },
			['kind', 'max', 'windowMs', 'limit'],
		),
	],
};

/** Scripted replies without functions, or null. */
export const SCRIPT_SCHEMA = { anyOf: [{ type: 'null' }, { type: 'array', items: SCRIPTED_REPLY }] };

export const ACCOUNT_SCHEMA = closedObject({
	id: { type: 'string' },
	balance: AMOUNT,
	chargeBalance: AMOUNT,
});

export const LATENCY_SCHEMA = closedObject({ latencyMs: MILLISECONDS, tokenDelayMs: MILLISECONDS });

function closedObject(properties: Record<string, object>, required: string[] = []): object {
	return { type: 'object', required, additionalProperties: false, properties };
}
