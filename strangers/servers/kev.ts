import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { StrangeServer } from '../StrangeServer';

const MOST_CRITERIA = 255;

/** A state that begins like this is refused, as it is while the model is still loading. */
export const KEV_IS_LOADING = 'loading';

interface Question {
	type?: unknown;
	criteria?: unknown;
}

/**
 * The published API layer of Kev, as its code was read: it takes more than the service's document allows, has its own error bodies and
 * headers, and computes confidences by its own formulas. The probabilities are made up: the first label is the most likely.
 */
export const KEV: StrangeServer = {
	name: "Kev's API layer",
	serves: { operations: 'decision', callsTools: false, streams: 'whole' },
	start: async ({ apiKey }) => {
		const server = createServer((request, response) => {
			answer(request, response, apiKey).catch((error: unknown) => {
				refuse(response, 422, String(error));
			});
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		return { url: `http://127.0.0.1:${port}/v1`, apiKey, stop: async () => await closed(server) };
	},
};

async function closed(server: Server): Promise<void> {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
}

async function answer(request: IncomingMessage, response: ServerResponse, apiKey: string): Promise<void> {
	response.setHeader('x-typesafe-request-id', randomUUID());
	if (request.url !== '/v1/systemone') return refuse(response, 404, 'Not Found');
	if (request.headers.authorization !== `Bearer ${apiKey}`) return refuse(response, 401, 'Invalid API key');
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const { model, state, questions } = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
	if (state === KEV_IS_LOADING) return refuse(response, 503, 'Model is not loaded');
	const entries = Object.entries((questions ?? {}) as Record<string, Question>);
	if (entries.length === 0) return refuse(response, 422, [problem('questions', 'must not be empty')]);
	const wrong = entries.find(([, question]) => !isValid(question));
	if (wrong) {
		return refuse(response, 422, [problem(`questions.${wrong[0]}`, 'Input should be a valid question')]);
	}
	const answers = Object.fromEntries(entries.map(([id, question]) => [id, answerTo(question)]));
	send(response, 200, { model, answers, usage: { input_tokens: 42, output_tokens: entries.length } });
}

function isValid({ type, criteria }: Question): boolean {
	if (type === 'noul') return true;
	const count = Object.keys(criteria ?? {}).length;
	if (type === 'choice') return count >= 1 && count <= MOST_CRITERIA;
	return type === 'score' && Array.isArray(criteria) && count >= 2 && count <= MOST_CRITERIA;
}

function answerTo({ type, criteria }: Question): object {
	if (type === 'noul') return { type, noul: 0.87 };
	const labels = Object.keys(criteria as object);
	const probabilities = labels.map((_, index) => 2 ** -Math.min(index + 1, labels.length - 1));
	const byLabel = Object.fromEntries(labels.map((label, index) => [label, round(probabilities[index]!)]));
	if (type === 'choice') {
		const floor = 1 / labels.length;
		const confidence = labels.length === 1 ? 1 : round((probabilities[0]! - floor) / (1 - floor));
		return { type, choice: labels[0], probabilities: byLabel, confidence };
	}
	const mean = probabilities.reduce((sum, probability, level) => sum + probability * level, 0);
	// The first level is the most likely, so the mean is the mean distance from it.
	const confidence = round(1 - mean / (labels.length - 1));
	return {
		type,
		score: round(mean),
		legend: { ...(criteria as unknown[]) },
		probabilities: byLabel,
		confidence,
	};
}

function round(value: number): number {
	return Math.round(value * 100) / 100;
}

function problem(where: string, msg: string) {
	return { type: 'value_error', loc: ['body', ...where.split('.')], msg };
}

function refuse(response: ServerResponse, status: number, detail: unknown): void {
	send(response, status, { detail });
}

function send(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
