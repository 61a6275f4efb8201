import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { isPerDay, ServiceError, type Effect, type ServiceErrorFacts } from '../../../client/ServiceError';
import { CredentialError } from '../../../client/readCredential';
import { shorten } from '../../../client/shorten';
import { countOf } from '../text/wording';
import { errorMessage } from '../text/errorMessage';
import { nextStep, UNKNOWN_MODEL } from '../text/nextStep';
import { ParameterError } from '../fields/ParameterError';
import type { Execution } from './Execution';

const MOST_CALLS = 20;

/** In characters. Longer tool calls are cut off in an error. */
const LONGEST_CALL = 200;

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

/**
 * The engine recognizes a stopped execution by the word "canceled" in the error.
 * @param ofRun lines as of `describeEnd`
 */
export function canceledError(node: INode, ofRun: string[] = []): NodeOperationError {
	return new NodeOperationError(node, 'The execution was canceled', { description: joined(ofRun) });
}

export interface FailedAt {
	index: number;
	/** How many items the execution has, if it has any. */
	count?: number;
	/** Whether nothing is ever sent, so that there is nothing to say about it. */
	sendsNothing?: boolean;
}

const WRONG_KEY = 401;

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
		attempts: facts ? (facts.attempts ?? null) : 0,
		item_index: item.index,
	};
}

/**
 * The error under "Stop".
 * @param ofRun lines as of `describeEnd`
 */
export function toNodeError(
	error: unknown,
	node: INode,
	item: FailedAt,
	ofRun: string[] = [],
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const itemIndex = item.index;
	const message = messageOf(error, item);
	const description = descriptionOf(error, item, [KEEP_OTHERS], ofRun) ?? undefined;
	if (!(error instanceof ServiceError)) {
		return withMessage(new NodeOperationError(node, message, { itemIndex, description }), message);
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
	return reasonOf(error) + item;
}

/** Why an item failed, in words that are the same for every item that failed for this reason. */
export function reasonOf(error: unknown): string {
	// The engine's message for data that is nested too deeply, or contains itself.
	if (error instanceof RangeError && error.message.includes('call stack')) {
		return 'The input item is nested too deeply, or refers to itself';
	}
	return errorMessage(error);
}

/**
 * @param ofSeveral what to add if the execution has more than one item
 * @param ofRun what to add about the run
 */
function descriptionOf(
	error: unknown,
	{ count = 0, sendsNothing }: FailedAt,
	ofSeveral: string[] = [],
	ofRun: string[] = [],
): string | null {
	if (error instanceof CredentialError) return 'Correct the credential.';
	const more = [...(count > 1 ? ofSeveral : []), ...ofRun];
	if (error instanceof ParameterError) {
		if (sendsNothing) return error.step;
		return joined([`Nothing was sent for this item. ${error.step}`, ...more]);
	}
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error.description ?? null;
	if (!(error instanceof ServiceError)) return ofRun.length > 0 ? joined(ofRun) : null;
	const { traceId, partialText, toolsRun = [] } = error.facts;
	return joined([
		nextStep(error.facts),
		...(toolsRun.length === 0 ? [] : [describeToolsRun(toolsRun)]),
		...describeSent(error.facts),
		...(concernsAllItems(error.facts) ? ofRun : more),
		...(traceId === undefined ? [] : [`Trace ID: ${traceId}`]),
		...(partialText === undefined ? [] : [`Text received so far: ${partialText}`]),
	]);
}

/** The editor shows the lines as one. */
function joined(lines: string[]): string {
	const ended = lines.slice(0, -1).map((line) => (/[.:!?]$/.test(line) ? line : `${line}.`));
	return [...ended, ...lines.slice(-1)].join('\n');
}

/** Whether the other items would fail as well, because they have the same credential, base URL or model. */
function concernsAllItems({ kind, httpStatus, code, isUnsent }: ServiceErrorFacts): boolean {
	return (
		httpStatus === WRONG_KEY ||
		code === UNKNOWN_MODEL ||
		kind === 'redirect' ||
		kind === 'blocked' ||
		kind === 'unreachable' ||
		isUnsent === true
	);
}

/** Possible effects of the failed requests, which are shown nowhere else. */
function describeSent({
	attempts = 0,
	answered = 0,
	mayHaveBegun = 0,
	effect,
	isUnsent,
}: ServiceErrorFacts): string[] {
	const left = effect && mayHaveBegun > 0 ? LEFT_BEHIND[effect] : undefined;
	if (attempts <= 1) return left === undefined ? [] : [`The request ${left}`];
	if (answered > 0) {
		const others = left === undefined ? '' : ` Of the others, ${mayHaveBegun} ${left}`;
		return [`${attempts} requests were sent, and ${answered} of them answered.${others}`];
	}
	if (isUnsent && mayHaveBegun === 0) return [`Tried ${attempts} times. Nothing reached the service.`];
	const some = mayHaveBegun === attempts ? 'Each of them' : `${mayHaveBegun} of them`;
	return [`The request was sent ${attempts} times.${left === undefined ? '' : ` ${some} ${left}`}`];
}

/**
 * How a run ended that throws, because n8n drops the hints of a node that fails.
 * @param error that it throws
 * @param kept answers for the next run
 */
export function describeEnd(
	error: unknown,
	{ clientInUse, tokens }: Pick<Execution, 'clientInUse' | 'tokens'>,
	kept: number,
): string[] {
	const { abortedBills } = clientInUse ?? { abortedBills: 0 };
	// All requests of a run have the same key. One that has worked may have been revoked since.
	const hasWorked = tokens.input !== null || tokens.output !== null;
	const isWrongKey = error instanceof ServiceError && error.facts.httpStatus === WRONG_KEY && !hasWorked;
	const aborted = `${countOf(abortedBills, 'other request')} in flight ${abortedBills === 1 ? 'was' : 'were'} aborted, and ${LEFT_BEHIND.bill}`;
	const keptFor = `${countOf(kept, 'answer')} ${kept === 1 ? 'is' : 'are'} kept for the next run, for an hour.`;
	return [abortedBills === 0 || isWrongKey ? [] : aborted, kept === 0 ? [] : keptFor].flat();
}

function describeToolsRun(calls: string[]): string {
	const shown = calls.slice(0, MOST_CALLS).map((call) => shorten(call, LONGEST_CALL));
	const more = calls.length - shown.length;
	const list = [...shown, ...(more > 0 ? [`and ${countOf(more, 'more call')}`] : [])].join('; ');
	return `Tools that had run before: ${list}. They will run again with the item, so check first what they did.`;
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
