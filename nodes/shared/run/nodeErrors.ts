import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { isPerDay, ServiceError, type Effect, type ServiceErrorFacts } from '../../../client/ServiceError';
import { CredentialError } from '../service/readCredential';
import { errorMessage } from '../text/errorMessage';
import { nextStep } from '../text/nextStep';
import { countOf, namesIn } from '../text/wording';
import { ParameterError } from '../fields/ParameterError';
import type { DoneBefore } from './ItemContext';

/** In characters. Longer tool calls are cut off in an error. */
const MAX_CALL_LENGTH = 200;

const LEFT_BEHIND: Record<Effect, string> = {
	bill: 'may be billed.',
	change: 'may have been carried out.',
};

/**
 * What an error item has under `error`. A type, because NodeApiError requires an IDataObject, and an interface is not one.
 */
export type ItemError = {
	message: string;
	description: string | null;
	http_status: number | null;
	code: number | null;
	/** RPM, RPD, TPM, TPD, IPM or IPD. */
	limit: string | null;
	retry_after_ms: number | null;
	trace_id: string | null;
	/** How many requests were sent for this item. */
	attempts: number | null;
	item_index: number;
};

/** How a run ended that throws. The error says it, because n8n drops the hints of a node that fails. */
export interface RunEnd {
	/** Billed requests that were aborted in flight. */
	abortedBills: number;
	/** Answers for the next run. */
	kept: number;
}

const NOTHING_LEFT: RunEnd = { abortedBills: 0, kept: 0 };

/** The engine recognizes a stopped execution by the word "canceled" in the error. */
export function canceledError(node: INode, end = NOTHING_LEFT): NodeOperationError {
	return new NodeOperationError(node, 'The execution was canceled', {
		description: joined(describeEnd(end)),
	});
}

export interface FailedAt {
	index: number;
	/** How many items the execution has, if it has any. */
	count?: number;
	/** Whether nothing is ever sent, so that there is nothing to say about it. */
	sendsNothing?: boolean;
	/** What remains of requests before the one that failed. */
	done?: DoneBefore;
}

const KEEP_OTHERS =
	"To keep the results of the other items, set 'On Error' to 'Continue' in the node's settings.";

/** The error under "Continue" and "Continue (using error output)". */
export function toItemError(error: unknown, item: FailedAt): ItemError {
	const facts = error instanceof ServiceError ? error.facts : undefined;
	return {
		message: messageOf(error, item),
		description: descriptionOf(error, item),
		http_status: facts?.httpStatus ?? null,
		code: facts?.code ?? null,
		limit: facts?.limit ?? null,
		retry_after_ms: facts?.retryAfterMs ?? null,
		trace_id: facts?.traceId ?? null,
		attempts: facts?.attempts ?? 0,
		item_index: item.index,
	};
}

/** The error under "Stop". */
export function toNodeError(
	error: unknown,
	node: INode,
	item: FailedAt,
	end: RunEnd = NOTHING_LEFT,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const itemIndex = item.index;
	const message = messageOf(error, item);
	const isOneOfSeveral = item.count !== undefined && item.count > 1;
	// With a wrong key, the others fail too.
	const isWrongKey = error instanceof ServiceError && error.facts.httpStatus === 401;
	const more = [...(isOneOfSeveral && !isWrongKey ? [KEEP_OTHERS] : []), ...describeEnd(end)];
	const description = descriptionOf(error, item, more) ?? undefined;
	if (!(error instanceof ServiceError)) {
		const nodeError = new NodeOperationError(node, message, { itemIndex, description });
		return withMessage(nodeError, message);
	}
	const { facts } = error;
	const nodeError = new NodeApiError(node, toItemError(error, item), {
		message,
		description,
		httpCode: facts.httpStatus === undefined ? undefined : String(facts.httpStatus),
		itemIndex,
		...failureOf(facts),
	});
	const context: IDataObject = { trace_id: facts.traceId, limit: facts.limit, attempts: facts.attempts };
	Object.assign(nodeError.context, context);
	return withMessage(nodeError, message);
}

/** n8n's constructors replace a message that contains the name of an errno, such as "EPERM" in "approvePermissions". */
function withMessage<Error extends NodeApiError | NodeOperationError>(error: Error, message: string): Error {
	error.message = message;
	return error;
}

function messageOf(error: unknown, { index, count }: FailedAt): string {
	// In n8n's own form: otherwise its editor would add the item again.
	const item = error instanceof ParameterError && count !== undefined && count > 1 ? ` [item ${index}]` : '';
	return errorMessage(error) + item;
}

/** @param more lines about the run */
function descriptionOf(error: unknown, { done, sendsNothing }: FailedAt, more: string[] = []): string | null {
	if (error instanceof CredentialError) return 'Correct the credential.';
	if (error instanceof ParameterError) {
		if (sendsNothing) return error.step;
		return joined([`Nothing was sent for this item. ${error.step}`, ...more]);
	}
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error.description ?? null;
	if (!(error instanceof ServiceError)) return more.length > 0 ? joined(more) : null;
	const { traceId, partialText } = error.facts;
	const { answered = 0, toolsRun = [] } = done ?? {};
	const tools = `Tools that had run before: ${namesIn(toolsRun, MAX_CALL_LENGTH)}. A retry runs them again, so check first what they did.`;
	return joined([
		nextStep(error.facts),
		...(toolsRun.length === 0 ? [] : [tools]),
		...describeSent(error.facts, answered),
		...more,
		...(traceId === undefined ? [] : [`Trace ID: ${traceId}`]),
		...(partialText === undefined ? [] : [`Text received so far: ${partialText}`]),
	]);
}

/** The editor shows the lines as one. */
function joined(lines: string[]): string {
	const ended = lines.slice(0, -1).map((line) => (/[.:!?]$/.test(line) ? line : `${line}.`));
	return [...ended, ...lines.slice(-1)].join('\n');
}

/** Possible effects of the failed requests, which are shown nowhere else. */
function describeSent(
	{ attempts, mayHaveBegun, effect, isUnsent }: ServiceErrorFacts,
	answered: number,
): string[] {
	const left = effect && mayHaveBegun > 0 ? LEFT_BEHIND[effect] : undefined;
	if (attempts <= 1) return left === undefined ? [] : [`The request ${left}`];
	if (answered > 0) {
		const others = left === undefined ? '' : ` Of the others, ${mayHaveBegun} ${left}`;
		return [`${attempts} requests were sent, of which the service answered ${answered}.${others}`];
	}
	if (isUnsent && mayHaveBegun === 0) return [`Tried ${attempts} times. Nothing reached the service.`];
	const some = mayHaveBegun === attempts ? 'Each of them' : `${mayHaveBegun} of them`;
	return [`The request was sent ${attempts} times.${left === undefined ? '' : ` ${some} ${left}`}`];
}

function describeEnd({ abortedBills, kept }: RunEnd): string[] {
	const aborted = `${countOf(abortedBills, 'other request')} in flight ${abortedBills === 1 ? 'was' : 'were'} aborted, and ${LEFT_BEHIND.bill}`;
	const keptFor = `${countOf(kept, 'answer')} ${kept === 1 ? 'is' : 'are'} kept for the next run, for an hour.`;
	return [...(abortedBills === 0 ? [] : [aborted]), ...(kept === 0 ? [] : [keptFor])];
}

/** Tells n8n 2.37 and later what kind of failure it is; older versions ignore the option. */
function failureOf(facts: ServiceErrorFacts) {
	if (facts.httpStatus === 429) {
		const cause = isPerDay(facts.limit) ? ('quota-exhausted' as const) : ('rate-limited' as const);
		return { failure: { cause, retryAfterMs: facts.retryAfterMs } };
	}
	return facts.httpStatus === 503 || facts.httpStatus === 504
		? { failure: { cause: 'temporarily-unavailable' as const, retryAfterMs: facts.retryAfterMs } }
		: {};
}
