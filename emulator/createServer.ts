import type { IncomingMessage } from 'node:http';

import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

import { ADMIN_PREFIX, addAdminRoutes, type Controls } from './addAdminRoutes';
import { contract, type ContractOperation } from './ContractValidation';
import type { Exchange, Exchanges } from './Exchange';
import { readMultipart } from './readMultipart';
import type { Arrival } from './respond';

const MAX_BODY_BYTES = 1024 ** 3;
const KEEP_ALIVE_MS = 72_000;

/** Builds the HTTP server of an emulator: one route for each operation of the contract, and the admin routes. */
export async function createServer(emulator: () => Exchanges & Controls): Promise<FastifyInstance> {
	const exchanges = new WeakMap<IncomingMessage, Exchange>();
	const server: FastifyInstance = Fastify({
		bodyLimit: MAX_BODY_BYTES,
		routerOptions: { maxParamLength: 4096 },
		exposeHeadRoutes: false,
		keepAliveTimeout: KEEP_ALIVE_MS,
		// If a path cannot be decoded, Fastify calls no route and no hook, but this function.
		frameworkErrors: (_error, _request, reply) => {
			reply.hijack();
			reply.raw.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify('Path not found.'));
		},
	});

	server.server.on('connection', (socket) => emulator().connected(socket));
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
	await server.register(multipart, {
		limits: {
			fieldSize: MAX_BODY_BYTES,
			fileSize: Number.MAX_SAFE_INTEGER,
			fields: 100,
			files: 100,
			parts: 200,
		},
		throwFileSizeLimit: false,
	});

	server.addHook('onRequest', async (request, reply) => {
		if (!request.url.startsWith(ADMIN_PREFIX)) {
			exchanges.set(request.raw, emulator().begin(request.raw, reply.raw));
		}
	});

	const serve = (operation: ContractOperation | undefined) =>
		handlerOf(operation, emulator, (request) => exchanges.get(request));
	for (const operation of contract().operations) {
		server.route({
			method: operation.method,
			url: `/v1${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
			handler: serve(operation),
		});
	}
	server.setNotFoundHandler(serve(undefined));
	addAdminRoutes(server, emulator);
	return server;
}

/** Responds to the requests of an operation, or to those of a path that has none. */
function handlerOf(
	operation: ContractOperation | undefined,
	emulator: () => Exchanges,
	exchangeOf: (request: IncomingMessage) => Exchange | undefined,
) {
	return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
		const exchange = exchangeOf(request.raw);
		if (exchange === undefined) {
			await reply.code(404).send();
			return;
		}
		reply.hijack();
		try {
			const unreadable = await readBody(request, exchange);
			const arrival: Arrival = {
				request: exchange.request,
				operation,
				parameters: request.params as Record<string, string>,
				...(unreadable !== undefined && { unreadable }),
			};
			await emulator().respondTo(exchange, arrival);
		} catch (error) {
			if (exchange.signal.aborted) return;
			console.error(error);
			if (reply.raw.headersSent) reply.raw.destroy();
			else reply.raw.writeHead(500).end(String(error));
		}
	};
}

function parsedJson(bytes: Buffer): { body: unknown } | undefined {
	try {
		return { body: JSON.parse(bytes.toString('utf8')) as unknown };
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

async function readBody(
	request: FastifyRequest,
	{ request: recorded }: Exchange,
): Promise<string | undefined> {
	if (request.isMultipart()) {
		try {
			Object.assign(recorded, await readMultipart(request));
			return undefined;
		} catch (error) {
			return `is not valid multipart: ${error instanceof Error ? error.message : String(error)}`;
		}
	}
	if (!Buffer.isBuffer(request.body) || request.body.length === 0) return 'is empty';
	recorded.rawBody = request.body;
	const parsed = parsedJson(request.body);
	if (parsed === undefined) return 'is not valid JSON';
	recorded.body = parsed.body;
	return undefined;
}
