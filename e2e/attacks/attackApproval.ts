import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { Emulator } from '../../emulator/Emulator';
import type { Execution, StoredCredential, WorkflowFile } from '../N8nSession';
import { scriptMessages } from '../tests/scriptMessages';
import { node, rowOf } from '../workflows';
import type { Attacks } from './Attacks';
import type { AttackedN8n } from './AttackedN8n';

const JUDGED = 'My card was stolen, help me immediately!';

const WITHIN_MS = 30_000;

/** How long the person takes. This is longer than n8n keeps the model's data in memory. */
const THINKS_MS = 3000;

/**
 * An agent with our chat model calls our tool, and a person has to approve each call. Meanwhile n8n waits, between two
 * requests of the model.
 */
export async function attackApproval(attacks: Attacks): Promise<void> {
	const n8n = await attacks.startN8n();
	const emulator = await Emulator.start();
	const messenger = await Messenger.start();
	try {
		const credentials = {
			inferenceServiceApi: await n8n.createCredential(emulator),
			telegramApi: await n8n.session.createCredential('Messenger', 'telegramApi', {
				accessToken: 'any',
				baseUrl: messenger.url,
			}),
		};
		const attack = async (title: string, approves: boolean[], check: (run: Run) => string) => {
			await attacks.attack(title, async () => {
				emulator.reset();
				messenger.links.length = 0;
				return check(await run({ n8n, emulator, messenger, credentials }, approves));
			});
		};
		await attack('a tool call that a person approves', [true], ({ decisions, told }) => {
			assert.equal(decisions.length, 1);
			assert.equal(decisions[0]!.state, JUDGED);
			assert.match(told, /urgent_yes/);
			return '1 request of the tool, with what the model wrote and nothing of n8n';
		});
		await attack('a tool call that a person denies', [false], ({ decisions, told }) => {
			assert.equal(decisions.length, 0);
			assert.match(told, /rejected/);
			return 'the tool asks nothing, and the model is told';
		});
	} finally {
		await messenger.close();
		await emulator.close();
		await n8n.stop();
	}
}

interface Run {
	/** The bodies of the requests that the tool sent. */
	decisions: Array<{ state: unknown }>;
	/** What the model was told after the approvals. */
	told: string;
}

interface Parts {
	n8n: AttackedN8n;
	emulator: Emulator;
	messenger: Messenger;
	credentials: Record<string, StoredCredential>;
}

async function run({ n8n, emulator, messenger, credentials }: Parts, approves: boolean[]): Promise<Run> {
	scriptMessages(emulator, [
		{
			text: 'I must judge it.',
			calls: approves.map(() => ({
				name: 'Judge',
				input: { toolParameters: { text: JUDGED }, hitlParameters: {} },
			})),
		},
		{ text: 'It is urgent.' },
	]);
	const id = await n8n.session.importWorkflow(workflow(), credentials);
	const executionId = await n8n.session.start(id, 'Start');
	for (const [index, approved] of approves.entries()) {
		await messenger.hasLinks(index + 1, WITHIN_MS);
		await setTimeout(THINKS_MS);
		// n8n returns an empty page to programs, such as those that look into links in advance.
		const headers = {
			'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
		};
		const response = await fetch(messenger.links[index]![approved ? 'approve' : 'deny']!, { headers });
		const page = await response.text();
		assert.ok(response.ok && page !== '', `the answer of the person: ${response.status} ${page}`);
	}
	const { status, error, outputs }: Execution = await n8n.session.settledExecution(executionId);
	assert.deepEqual([status, error?.message], ['success', undefined]);
	assert.equal(outputs.Agent?.[0]?.[0]?.json.output, 'It is urgent.');
	const sent = (path: string) => emulator.requests.filter((request) => request.path === path);
	const messages = sent('/messages');
	assert.equal(messages.length, 2, 'requests of the model');
	for (const { status: answered, rawBody } of emulator.requests) {
		assert.equal(answered, 200, rawBody.toString());
	}
	for (const { rawBody } of sent('/systemone')) {
		assert.doesNotMatch(rawBody.toString(), /toolu_|toolCallId|hitl/);
	}
	const { messages: turns } = messages.at(-1)!.body as { messages: Array<{ content: unknown }> };
	const uses = JSON.stringify(turns.at(-2));
	const told = JSON.stringify(turns.at(-1));
	for (const index of approves.keys()) {
		assert.ok(uses.includes(`"toolu_0_${index}"`) && told.includes(`"toolu_0_${index}"`), uses + told);
	}
	return { decisions: sent('/systemone').map(({ body }) => body as { state: unknown }), told };
}

function workflow(): WorkflowFile {
	const agent = node(
		'Agent',
		'@n8n/n8n-nodes-langchain.agent',
		{ promptType: 'define', text: 'Is it urgent?', options: {} },
		{ typeVersion: 3 },
	);
	const row = rowOf('Approval', [{}], [agent]);
	const model = node('Model', 'chatModel', { model: 'acme/quick-1' });
	const approval = node(
		'Approval',
		'n8n-nodes-base.telegramHitlTool',
		{ chatId: '1', message: 'May it?', approvalOptions: { values: { approvalType: 'double' } }, options: {} },
		{ typeVersion: 1.2, credentials: { telegramApi: { id: '', name: '' } }, webhookId: 'approval' },
	);
	const judge = node('Judge', 'decisionTool', {
		descriptionType: 'manual',
		toolDescription: 'Tells whether a message is urgent',
		stateText: "={{ $fromAI('text', 'The message to judge') }}",
		questions: {
			question: [{ id: 'urgent', type: 'noul', instructions: 'Does the customer need help immediately?' }],
		},
	});
	const to = (name: string, type: 'ai_languageModel' | 'ai_tool') => ({
		[type]: [[{ node: name, type, index: 0 }]],
	});
	return {
		...row,
		nodes: [...row.nodes, model, approval, judge],
		connections: {
			...row.connections,
			Model: to('Agent', 'ai_languageModel'),
			Approval: to('Agent', 'ai_tool'),
			Judge: to('Approval', 'ai_tool'),
		},
	};
}

/** Receives messages as Telegram does, and keeps the links of their buttons. */
class Messenger {
	readonly links: Array<{ approve?: string; deny?: string }> = [];

	private constructor(
		readonly url: string,
		private readonly server: ReturnType<typeof createServer>,
	) {}

	static async start(): Promise<Messenger> {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const messenger = new Messenger(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
		server.on('request', (request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const urls =
					Buffer.concat(chunks)
						.toString()
						.match(/http[^"\\]*webhook-waiting[^"\\]*/g) ?? [];
				if (urls.length > 0) {
					messenger.links.push({
						approve: urls.find((url) => url.includes('approved=true')),
						deny: urls.find((url) => url.includes('approved=false')),
					});
				}
				response.writeHead(200, { 'content-type': 'application/json' });
				response.end(JSON.stringify({ ok: true, result: { message_id: messenger.links.length } }));
			});
		});
		return messenger;
	}

	async hasLinks(count: number, withinMs: number): Promise<void> {
		const deadline = performance.now() + withinMs;
		while (this.links.length < count) {
			assert.ok(performance.now() < deadline, `nobody was asked, within ${withinMs} ms`);
			await setTimeout(100);
		}
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await once(this.server.close(), 'close');
	}
}
