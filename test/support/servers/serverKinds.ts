import { confidenceOfChoice, confidenceOfScore } from '../../../emulator/answers';

/*
 * Servers that answer decisions on one's own machine differ so, according to their pages and code (November 2026). Paths, statuses
 * and shapes are theirs. The servers' own words are: all messages of Kev and Ollama except `tooLarge` of Kev, and of LocalAI and
 * llama.cpp `unknownModel`, `notFound` and `wrongKey`, and llama.cpp's `noDecisionModel`, `unavailable`, `wrongCriteria` and
 * `options`, which there names the number of options too. The other messages are made up.
 *
 * - Kev: kev/serve.py and kev/api.py of jaredpalmer/kev;
 * - Ollama: internal/systemone/systemone.go and the tests of SystemOneHandler of ollama/ollama, docs.ollama.com/api/errors;
 * - LocalAI: docs/content/features/decisions.md and core/http/endpoints/localai/systemone.go of mudler/LocalAI;
 * - llama.cpp: tools/server/server-decision.cpp of ggml-org/llama.cpp.
 */

export interface ServerKind {
	name: string;
	/** Holds the name of a decision model that the server has. */
	model: string;
	/** Holds the response for a model that is not for decisions. It is undefined if the server has no such model. */
	noDecisionModel?: { status: number; message: string };
	/** Holds the response for an unknown model. It is undefined if every name means the one model that is loaded. */
	unknownModel?: (model: string) => string;
	models: object;
	errorBody(status: number, message: string): object;
	/** Holds the 404 for `GET /user/info`, which does not exist on these servers. */
	notFound: object | string;
	/** Holds the response for a missing or wrong key. It is undefined if keys are not checked. */
	wrongKey?: string;
	/** Holds the message of a 503. */
	unavailable: string;
	/** Limits the requests in flight. */
	maxInFlight: number;
	maxBodyBytes: number;
	/** Holds the status and the message for a larger body. */
	tooLarge: { status: number; message: string };
	maxQuestions: number;
	options: { min: number; max: number; message: (id: string) => string };
	/** Holds the status of a wrong question. */
	invalidStatus: number;
	/** Makes the message for a noul whose `criteria` are not an object. */
	wrongCriteria: (id: string) => string | object[];
	/** Says whether a noul's `criteria` may have no other names than `true` and `false`. */
	checksCriteria: boolean;
	/** Says whether the server refuses an empty state. */
	checksState: boolean;
	round(value: number): number;
	confidenceOfChoice(probabilities: number[]): number;
	confidenceOfScore(probabilities: number[]): number;
	/** Says whether the server counts the tokens of prompts. One path of LocalAI reports 0. */
	countsTokens: boolean;
	/** Holds the additional fields of the body, beside `model`, `answers` and `usage`. */
	extraFields: object;
	extraUsage: object;
	/** Holds the additional fields of a noul's answer, beside `type` and `noul`. */
	extraNoul: object;
}

const KIB_64 = 64 * 1024;

/** Some servers count the tokens of a state, not its bytes. */
const BYTES_PER_TOKEN = 4;

const hundredths = (value: number) => Math.round(value * 100) / 100;

const asIs = (value: number) => value;

const entropyConfidence = (probabilities: number[]) =>
	1 +
	probabilities.reduce((sum, p) => sum + (p > 0 ? p * Math.log(p) : 0), 0) / Math.log(probabilities.length);

/**
 * Computes the confidence of a score: 1 minus the mean distance from the most likely level, relative to that distance with equal
 * probabilities.
 */
function spreadConfidence(probabilities: number[]): number {
	const mode = probabilities.indexOf(Math.max(...probabilities));
	const middle = (probabilities.length - 1) / 2;
	const distance = probabilities.reduce((sum, p, level) => sum + p * Math.abs(level - mode), 0);
	const uniform = probabilities.reduce((sum, _, level) => sum + Math.abs(level - middle), 0);
	return Math.max(0, 1 - (distance * probabilities.length) / uniform);
}

const listOf = (...ids: string[]) => ({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) });

/** Most of these servers behave like this. */
const COMMON = {
	maxInFlight: Infinity,
	maxQuestions: Infinity,
	invalidStatus: 400,
	checksCriteria: false,
	checksState: false,
	round: asIs,
	confidenceOfChoice,
	confidenceOfScore,
	countsTokens: true,
	extraFields: {},
	extraUsage: {},
	extraNoul: {},
};

const kev: ServerKind = {
	...COMMON,
	name: 'Kev',
	model: 'kev-latest',
	models: { models: [{ name: 'kev-latest' }, { name: 'jev-latest' }] },
	errorBody: (_, detail) => ({ detail }),
	notFound: { detail: 'Not Found' },
	wrongKey: 'missing or invalid API key; send Authorization: Bearer <KEV_API_KEY>',
	unavailable: 'the server is stopping',
	maxBodyBytes: KIB_64 * BYTES_PER_TOKEN,
	tooLarge: { status: 422, message: 'state is too long for this model' },
	options: { min: 1, max: 255, message: () => 'criteria must have 1..255 options' },
	invalidStatus: 422,
	wrongCriteria: (id) => [
		{
			type: 'dict_type',
			loc: ['body', 'questions', id, 'Noul', 'criteria'],
			msg: 'Input should be a valid dictionary',
		},
	],
	round: hundredths,
	extraFields: { latency_ms: 12.5, truncated: false },
	extraUsage: { state_tokens: 8, state_tokens_used: 8 },
};

const ollama: ServerKind = {
	...COMMON,
	name: 'Ollama',
	model: 'kev',
	unknownModel: (model) => `model '${model}' not found`,
	models: listOf('kev:latest', 'qwen3:latest'),
	errorBody: (_, error) => ({ error }),
	notFound: '404 page not found',
	unavailable: 'server busy, please try again. maximum pending requests exceeded',
	maxInFlight: 512,
	maxBodyBytes: KIB_64,
	tooLarge: { status: 413, message: 'http: request body too large' },
	maxQuestions: 64,
	options: { min: 2, max: 26, message: (id) => `question "${id}": criteria must contain 2–26 candidates` },
	wrongCriteria: (id) => `question "${id}": noul criteria must be an object of true/false descriptions`,
	checksCriteria: true,
	checksState: true,
	confidenceOfChoice: entropyConfidence,
	confidenceOfScore: entropyConfidence,
};

const localAi: ServerKind = {
	...COMMON,
	name: 'LocalAI',
	model: 'kev-0.8b-vllm-cpp',
	unknownModel: (model) => `model "${model}" not found`,
	noDecisionModel: { status: 501, message: 'the backend does not support decisions' },
	models: listOf('kev-0.8b-vllm-cpp'),
	errorBody: (_, message) => ({ error: { message, type: 'invalid_request' } }),
	notFound: { error: { code: 404, message: 'Resource not found', type: '' } },
	wrongKey: 'An authentication key is required',
	unavailable: 'too many decision requests are being processed',
	maxInFlight: 8,
	maxBodyBytes: KIB_64,
	tooLarge: { status: 413, message: 'the request body exceeds 65536 bytes' },
	maxQuestions: 64,
	options: { min: 2, max: 255, message: (id) => `question "${id}" (choice) requires at least 2 options` },
	wrongCriteria: (id) =>
		`question "${id}" (noul) criteria must be an object with the keys "false" and "true"`,
	checksCriteria: true,
	checksState: true,
	round: hundredths,
	countsTokens: false,
	extraFields: { latency_ms: 12.5 },
	extraNoul: { entities: [{ text: 'now', start: 0, end: 3, confidence: 0.9 }] },
};

const llamaCpp: ServerKind = {
	...COMMON,
	name: 'llama.cpp',
	model: 'Kev-4B',
	noDecisionModel: { status: 501, message: 'This model is not a decision model' },
	models: listOf('Kev-4B'),
	errorBody: (code, message) => ({ error: { code, message, type: 'invalid_request_error' } }),
	notFound: { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } },
	wrongKey: 'Invalid API Key',
	unavailable: 'Loading model',
	maxBodyBytes: KIB_64 * BYTES_PER_TOKEN,
	tooLarge: { status: 400, message: 'the request exceeds the available context size' },
	options: {
		min: 1,
		max: 255,
		message: (id) => `questions.${id}: too many options, this model supports at most 255`,
	},
	wrongCriteria: (id) => `questions.${id}: "criteria" must be an object`,
	confidenceOfScore: spreadConfidence,
};

export const serverKinds = { kev, ollama, localAi, llamaCpp };
