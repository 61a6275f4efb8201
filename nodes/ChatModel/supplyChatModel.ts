import type * as AiNodeSdk from '@n8n/ai-node-sdk';
import {
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type ISupplyDataFunctions,
	type NodeExecutionHint,
	type SupplyData,
} from 'n8n-workflow';

import { RunCalls } from '../../client/limiter/RunCalls';
import type { Caller } from '../shared/service/Caller';
import { callPolicy } from '../shared/service/callPolicy';
import { createClient } from '../shared/service/createClient';
import { errorMessage } from '../shared/text/errorMessage';
import { ReplyTally, type ReplyFacts } from '../shared/generation/ReplyTally';
import { describeWaiting } from '../shared/run/describeRun';
import { toNodeError } from '../shared/run/nodeErrors';
import { once } from '../shared/values/once';
import { MAX_EXPRESSION_CHARS } from '../shared/fields/expressionText';
import { Parameters, type Report } from '../shared/fields/Parameters';
import { escapeHtml } from '../shared/text/wording';
import { shorten } from '../../client/values/shorten';
import { patchSdkAdapter } from './patchSdkAdapter';
import { fields, type ChatModelSettings } from './fields';
import { InferenceChatModel } from './InferenceChatModel';

type LoadSdk = () => Promise<typeof AiNodeSdk>;

/**
 * Supplies the chat model to the AI node that the sub-node is connected to.
 * @param loadSdk must reject on an n8n without the SDK for AI nodes
 * @throws NodeOperationError for a parameter that cannot be used, and on an n8n without the SDK for AI nodes
 */
export async function supplyChatModel(
	context: ISupplyDataFunctions,
	itemIndex: number,
	loadSdk: LoadSdk,
): Promise<SupplyData> {
	const node = context.getNode();
	const supplyModel = await supplyModelOf(loadSdk, node);
	const stop = new AbortController();
	const canceled = context.getExecutionCancelSignal();
	const signal = canceled ? AbortSignal.any([stop.signal, canceled]) : stop.signal;
	try {
		const settings = Parameters.ofItems(context, emptyWarner(context)).readEach(fields, itemIndex);
		const model = new InferenceChatModel({
			settings,
			node,
			itemIndex,
			callerOf: callersOf(context, settings),
			signal,
			onReply: replyWarner(context),
		});
		const { response } = supplyModel(context, model);
		patchSdkAdapter(response);
		return { response, closeFunction: async () => stop.abort() };
	} catch (error) {
		throw toNodeError(error, node, { index: itemIndex });
	}
}

async function supplyModelOf(load: LoadSdk, node: INode): Promise<typeof AiNodeSdk.supplyModel> {
	try {
		const { supplyModel } = await load();
		return supplyModel;
	} catch (error) {
		throw new NodeOperationError(
			node,
			'Inference Chat Model needs n8n 2.16 or later: this n8n does not have the SDK for AI nodes',
			{
				description: `Update n8n. All other nodes of this package work here. (${errorMessage(error)})`,
			},
		);
	}
}

function callersOf(
	context: ISupplyDataFunctions,
	settings: ChatModelSettings,
): (signal: AbortSignal) => Caller {
	const calls = new RunCalls();
	const clientOnce = once(async () => await createClient(context));
	const tell = hintOf(context, 'info');
	return (signal) => ({
		signal,
		call: async (request) => {
			const client = await clientOnce();
			try {
				return await client.call(request, callPolicy(client, fields, settings, { calls, signal }));
			} finally {
				const waiting = describeWaiting(client, calls);
				if (waiting !== undefined && mayTell(context)) tell(waiting);
			}
		},
	});
}

/** Counts the replies that are not complete, and shows their number in one hint. */
function replyWarner(context: ISupplyDataFunctions): (reply: ReplyFacts) => void {
	const replies = new ReplyTally();
	const warn = hintOf(context, 'warning');
	return (reply) => {
		replies.add(reply);
		const warning = replies.describe();
		if (warning !== undefined) warn(warning);
	};
}

/** Shows which expressions of the node have no value, so that what they stand for is not sent. */
function emptyWarner(context: ISupplyDataFunctions): Report {
	const found = new Set<string>();
	const warn = hintOf(context, 'warning');
	return (_, { label }, expression) => {
		found.add(`${escapeHtml(shorten(expression, MAX_EXPRESSION_CHARS))} in ${label} has no value`);
		if (mayTell(context)) {
			warn(`Check the expressions: ${[...found].join('; ')}. What has no value is left out of the request.`);
		}
	};
}

/** n8n does not redact hints, so under redaction those with values are left out. */
function mayTell(context: ISupplyDataFunctions): boolean {
	return (context as Partial<IExecuteFunctions>).isConsoleOutputRedacted?.() !== true;
}

/** Writes the latest message as a hint, which n8n shows at the trace of the next request too. */
function hintOf(context: ISupplyDataFunctions, type: 'info' | 'warning'): (message: string) => void {
	let hint: NodeExecutionHint | undefined;
	return (message) => {
		if (hint) {
			hint.message = message;
			return;
		}
		hint = { message, location: 'outputPane', type };
		context.addExecutionHints?.(hint);
	};
}
