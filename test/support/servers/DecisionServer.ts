import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { contract } from '../../../emulator/ContractValidation';
import { newProcessState, processState } from '../../../nodes/shared/service/processState';
import { repeatSoon } from '../repeatSoon';
import type { ServerKind } from './serverKinds';
import { writeMessage } from './writeMessage';

interface Question {
	type: 'noul' | 'choice' | 'score';
	instructions: string;
	criteria?: unknown;
}

interface DecisionBody {
	model: string;
	state: unknown;
	questions: Record<string, Question>;
}

/** The server has this model too, which is not for decisions. */
export const CHAT_MODEL = 'qwen3';

/** Represents a response that refuses a request. */
class Refusal extends Error {
	constructor(
		readonly status: number,
		/** Holds a text, or FastAPI's list of the problems of a body. */
		readonly reason: string | object[],
	) {
		super();
	}
}

/** Stands in for a server that answers decisions on one's own machine. It listens on a real socket. */
export class DecisionServer {
	/** Holds the decision requests so far, without requests to other paths. */
	readonly requests: DecisionBody[] = [];

	/** Holds the key that the server requires. If undefined, it accepts any key, like a server that was started without one. */
	expectedKey: string | undefined;

	/** Holds the API key in the node's credential. */
	readonly apiKey = 'none';

	maxInFlight: number;

	latencyMs = 0;

	/** Counts the next requests that get a 503. */
	unavailableFor = 0;

	private inFlight = 0;

	/** Holds problems of requests that the service's document does not allow, although the server may. */
	private readonly violations: string[] = [];

	private readonly http = createServer((request, response) => void this.serve(request, response));

	constructor(readonly kind: ServerKind) {
		this.maxInFlight = kind.maxInFlight;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/v1`;
	}

	async start(): Promise<void> {
		this.http.listen(0, '127.0.0.1');
		await once(this.http, 'listening');
	}

	async close(): Promise<void> {
		this.http.closeAllConnections();
		this.http.close();
		await once(this.http, 'close');
	}

	/** Resets the server, and fails if the service's document does not allow a request that came. */
	reset(): void {
		const violations = this.violations.splice(0);
		this.requests.length = 0;
		this.expectedKey = undefined;
		this.maxInFlight = this.kind.maxInFlight;
		this.latencyMs = 0;
		this.unavailableFor = 0;
		expect(violations).toEqual([]);
	}

	private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const text = await readText(request);
		const send = (status: number, body: object | string) => {
			const type = typeof body === 'string' ? 'text/plain' : 'application/json';
			response.writeHead(status, { 'content-type': type });
			response.end(typeof body === 'string' ? body : JSON.stringify(body));
		};
		try {
			this.checkKey(request);
			const path = `${request.method} ${request.url}`;
			if (path === 'GET /v1/models') return send(200, this.kind.models);
			if (path === 'POST /v1/systemone') return send(200, await this.decide(text));
			if (this.kind.name === 'Ollama' && writeMessage(path, text, response)) return;
			send(404, this.kind.notFound);
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			const { status, reason } = error;
			send(status, Array.isArray(reason) ? { detail: reason } : this.kind.errorBody(status, reason));
		}
	}

	private checkKey({ headers }: IncomingMessage): void {
		const { wrongKey } = this.kind;
		if (this.expectedKey === undefined || wrongKey === undefined) return;
		if (headers.authorization !== `Bearer ${this.expectedKey}`) throw new Refusal(401, wrongKey);
	}

	private async decide(text: string): Promise<object> {
		const { kind } = this;
		const body = JSON.parse(text) as DecisionBody;
		this.requests.push(body);
		if (this.unavailableFor > 0 || this.inFlight >= this.maxInFlight) {
			this.unavailableFor = Math.max(0, this.unavailableFor - 1);
			throw new Refusal(503, kind.unavailable);
		}
		if (Buffer.byteLength(text) > kind.maxBodyBytes) {
			throw new Refusal(kind.tooLarge.status, kind.tooLarge.message);
		}
		this.checkRequest(body);
		this.inFlight++;
		await wait(this.latencyMs);
		this.inFlight--;
		const answers = Object.entries(body.questions).map(([id, question]) => [
			id,
			this.answer(JSON.stringify(body.state), question),
		]);
		const usage = kind.countsTokens
			? { input_tokens: 20, output_tokens: 0 }
			: { input_tokens: 0, output_tokens: 0 };
		return {
			model: body.model,
			answers: Object.fromEntries(answers) as object,
			usage: { ...usage, ...kind.extraUsage },
			...kind.extraFields,
		};
	}

	private checkRequest(body: DecisionBody): void {
		const { kind } = this;
		if (body.model === CHAT_MODEL && kind.noDecisionModel) {
			throw new Refusal(kind.noDecisionModel.status, kind.noDecisionModel.message);
		}
		if (body.model !== kind.model && kind.unknownModel) throw new Refusal(404, kind.unknownModel(body.model));
		if (kind.checksState && typeof body.state === 'string' && body.state.trim() === '') {
			throw new Refusal(kind.invalidStatus, 'state must not be empty');
		}
		const questions = Object.entries(body.questions);
		if (questions.length > kind.maxQuestions) {
			throw new Refusal(kind.invalidStatus, `questions must contain 1–${kind.maxQuestions} fields`);
		}
		for (const [id, question] of questions) this.checkQuestion(id, question);
		this.checkAgainstDocument(body);
	}

	private checkQuestion(id: string, { type, criteria }: Question): void {
		const { options, invalidStatus, wrongCriteria, checksCriteria } = this.kind;
		if (type === 'choice') {
			const count = Object.keys(criteria as object).length;
			if (count < options.min || count > options.max) throw new Refusal(invalidStatus, options.message(id));
		}
		if (type === 'noul' && criteria !== undefined) {
			const isObject = typeof criteria === 'object' && criteria !== null && !Array.isArray(criteria);
			const others = isObject ? Object.keys(criteria).filter((key) => key !== 'true' && key !== 'false') : [];
			if (!isObject || (checksCriteria && others.length > 0)) {
				throw new Refusal(invalidStatus, wrongCriteria(id));
			}
		}
	}

	/** Notes what the document of the service does not allow in a request. The models of these servers and the criteria of a noul may differ. */
	private checkAgainstDocument({ questions, ...body }: DecisionBody): void {
		const known = Object.entries(questions).map(([id, { criteria, ...question }]) => [
			id,
			question.type === 'noul' ? question : { ...question, criteria },
		]);
		const request = { ...body, model: 'Kev-4B', questions: Object.fromEntries(known) as object };
		const violation = contract().violationOfSchema('DecisionRequest', request);
		if (violation) this.violations.push(violation.message);
	}

	/**
	 * Answers by the words of the state: "urgent" makes a yes likely, and an option or level that occurs gets a probability of two
	 * thirds. With "unsure", everything is equally likely.
	 */
	private answer(state: string, { type, criteria }: Question): object {
		const { kind } = this;
		const isUnsure = state.includes('unsure');
		if (type === 'noul') {
			const noul = isUnsure ? 0.5 : state.includes('urgent') ? 0.9342 : 0.0658;
			return { type, noul: kind.round(noul), ...kind.extraNoul };
		}
		const keys = Object.keys(criteria as object);
		const options = type === 'choice' ? keys : (criteria as string[]);
		const winner = Math.max(
			0,
			options.findIndex((option) => state.includes(option)),
		);
		const ofOthers = 1 / (3 * (options.length - 1));
		const p = options.map((_, index) =>
			isUnsure ? 1 / options.length : options.length === 1 ? 1 : index === winner ? 2 / 3 : ofOthers,
		);
		const probabilities = Object.fromEntries(keys.map((key, index) => [key, kind.round(p[index]!)]));
		if (type === 'choice') {
			const confidence = kind.round(kind.confidenceOfChoice(p));
			return { type, choice: options[winner], probabilities, confidence };
		}
		return {
			type,
			score: kind.round(p.reduce((sum, value, level) => sum + value * level, 0)),
			legend: { ...options },
			probabilities,
			confidence: kind.round(kind.confidenceOfScore(p)),
		};
	}
}

async function readText(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}

/**
 * Starts one server for the tests of a `describe`. For the nodes, each test begins like a new process, and retries wait as briefly as
 * possible.
 */
export function useDecisionServer(kind: ServerKind): DecisionServer {
	const server = new DecisionServer(kind);
	beforeAll(async () => await server.start());
	beforeEach(() => {
		Object.assign(processState, newProcessState());
		repeatSoon();
	});
	afterEach(() => {
		jest.restoreAllMocks();
		server.reset();
	});
	afterAll(async () => await server.close());
	return server;
}
