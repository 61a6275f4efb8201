import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { isPerDay, ServiceError, type Effect, type ServiceErrorFacts } from '../../../client/ServiceError';
import { isRecord } from '../../../client/values/records';
import { CredentialError } from '../../../credentials/readCredential';
import { errorMessage } from '../text/errorMessage';
import { nextStep } from '../text/nextStep';
import { countOf, formatNumber } from '../text/wording';
import { ParameterError } from '../fields/ParameterError';
import type { LastingEffects } from '../context/ItemContext';
import type { Changes } from '../context/RunContext';
import { listNames } from '../text/lists';
import { shorten } from '../../../client/values/shorten';
import { present } from '../values/present';

/** In an error, longer descriptions of tool calls are cut to this length. */
const MAX_CALL_CHARS = 200;

/** Ends a sentence about a failed request, which may have had this effect. */
const EFFECT_TEXTS: Record<Effect, string> = {
	bill: 'may be billed.',
	change: 'may have been carried out.',
};

/**
 * Describes the field `error` of an output item for a failed item. It is a type, not an interface, because only a type can be
 * passed as the IDataObject that NodeApiError takes.
 */
export type ItemError = {
	message: string;
	description: string | null;
	http_status: number | null;
	code: number | null;
	/** The limit is RPM, RPD, TPM, TPD, IPM or IPD, if the service names one. */
	limit: string | null;
	retry_after_ms: number | null;
	trace_id: string | null;
	/** Counts the requests that were sent for this item. */
	attempts: number;
	item_index: number;
};

/** Describes the state of a run that throws. Its error tells these numbers, because n8n drops the hints of a node that fails. */
interface RunEnd {
	/** Counts the billed requests that were aborted in flight. */
	abortedBills: number;
	/** Counts the answers that are kept for the next run. */
	kept: number;
	/** Counts the earlier passes of a loop, in which the node was paid for answers. */
	earlierPasses: number;
	/** Counts what a new run does again, but for the tool calls of the failed item, which its error names. */
	changes: Changes;
	/** Says whether passes with failed items passed on the others. Then their answers are kept. */
	continues: boolean;
	/** Counts the items, and how many of them have no result. */
	items: number;
	undone: number;
}

const EMPTY_RUN_END: RunEnd = {
	abortedBills: 0,
	kept: 0,
	earlierPasses: 0,
	changes: { count: 0, what: 'request' },
	continues: false,
	items: 0,
	undone: 0,
};

/** Makes the error of a stopped execution, which the engine recognizes by the word "canceled" in the message. */
export function canceledError(node: INode, end = EMPTY_RUN_END): NodeOperationError {
	return new NodeOperationError(node, 'The execution was canceled', {
		description: joinLines(describeEnd(end, 'request')),
	});
}

export interface FailedItem {
	index: number;
	/** Counts the items in the run. It is undefined for a request that belongs to no item. */
	count?: number;
	/** Holds the effects of the item's earlier requests, which remain. */
	done?: LastingEffects;
	/** Says whether a chat may show the error: n8n then shows the description without the message. */
	inChat?: boolean;
}

const RESPELLED_NOTE =
	'This message writes "cancelled" instead of "canceled", which n8n would take for a stopped execution.';

const KEEP_OTHERS_ADVICE =
	"To keep the results of the other items, set 'On Error' to 'Continue' in the node's settings.";

/** Makes the error of an item with On Error set to "Continue" or "Continue (using error output)". */
export function toItemError(error: unknown, item: FailedItem): ItemError {
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

/** Returns whether a value is an error that `toItemError` made, in this run or in that of an earlier node. */
export function isItemError(value: unknown): boolean {
	const marks = ['message', 'http_status', 'attempts', 'item_index'] satisfies Array<keyof ItemError>;
	return isRecord(value) && marks.every((name) => Object.hasOwn(value, name));
}

/** Makes the error that ends the run, with On Error set to "Stop". */
export function toNodeError(
	error: unknown,
	node: INode,
	item: FailedItem,
	end: RunEnd = EMPTY_RUN_END,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const itemIndex = item.index;
	const message = messageOf(error, item);
	const isOneOfSeveral = item.count !== undefined && item.count > 1;
	// With a wrong key, all other items would fail too.
	const isWrongKey = error instanceof ServiceError && error.facts.httpStatus === 401;
	const runLines = present([
		isOneOfSeveral && !isWrongKey && KEEP_OTHERS_ADVICE,
		...describeEnd(end, 'other request'),
	]);
	const advice = descriptionOf(error, item, runLines);
	const description = item.inChat
		? joinLines(present([message, advice ?? undefined]))
		: (advice ?? undefined);
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
		...failureForN8n(facts),
	});
	const context: IDataObject = { trace_id: facts.traceId, limit: facts.limit, attempts: facts.attempts };
	Object.assign(nodeError.context, context);
	return withMessage(nodeError, message);
}

/** Makes the error of an operation over all items. It sends nothing, so the error need not say that nothing was sent. */
export function toRunError(error: unknown, node: INode, itemIndex: number): NodeOperationError {
	const message = errorMessage(error);
	const description = error instanceof ParameterError ? error.step : undefined;
	return withMessage(new NodeOperationError(node, message, { itemIndex, description }), message);
}

/**
 * Sets the message again, because n8n's constructors replace a message that contains the name of an errno, such as "EPERM" in
 * "approvePermissions". The word by which the engine recognizes a stopped execution gets its other spelling: n8n would start no
 * error workflow for a service that says "The batch was canceled". The error of a parameter may name a field, such as "canceled_at",
 * so its description says that the name has another spelling.
 */
function withMessage<Error extends NodeApiError | NodeOperationError>(error: Error, message: string): Error {
	error.message = message.replaceAll('canceled', 'cancelled');
	if (error.message !== message && error instanceof NodeOperationError) {
		error.description = joinLines(present([error.description ?? undefined, RESPELLED_NOTE]));
	}
	return error;
}

function messageOf(error: unknown, { index, count }: FailedItem): string {
	// This is n8n's own form. With any other, its editor would add the item a second time.
	const item = error instanceof ParameterError && count !== undefined && count > 1 ? ` [item ${index}]` : '';
	return errorMessage(error) + item;
}

/**
 * Puts together what an error says below its message: the next step, what was sent, and the trace ID.
 * @param runLines lines about the whole run, which are added
 */
function descriptionOf(error: unknown, { done }: FailedItem, runLines: string[] = []): string | null {
	if (error instanceof CredentialError) return 'Correct the credential.';
	if (error instanceof ParameterError) {
		return joinLines([`Nothing was sent for this item. ${error.step}`.trim(), ...runLines]);
	}
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error.description ?? null;
	if (!(error instanceof ServiceError)) return runLines.length > 0 ? joinLines(runLines) : null;
	const { traceId, partialText } = error.facts;
	const { answered = 0, toolsRun = [] } = done ?? {};
	const tools = `Tools that had run before: ${listNames(toolsRun, (call) => shorten(call, MAX_CALL_CHARS))}. A retry runs them again, so check first what they did.`;
	const lines = present([
		nextStep(error.facts),
		toolsRun.length > 0 && tools,
		describeSent(error.facts, answered),
		...runLines,
		traceId !== undefined && `Trace ID: ${traceId}`,
		partialText !== undefined && `Text received so far: ${partialText}`,
	]);
	return joinLines(lines);
}

/** Joins the lines, and ends each with a full stop, because the editor shows them as one paragraph. */
function joinLines(lines: string[]): string {
	const ended = lines.slice(0, -1).map((line) => (/[.:!?]$/.test(line) ? line : `${line}.`));
	return [...ended, ...lines.slice(-1)].join('\n');
}

/** Returns how many requests were sent, and what effects the failed ones may have had. */
function describeSent(
	{ attempts, mayHaveBegun, effect, isUnsent }: ServiceErrorFacts,
	answered: number,
): string | undefined {
	const left = effect && mayHaveBegun > 0 ? EFFECT_TEXTS[effect] : undefined;
	if (attempts <= 1) return left && `The request ${left}`;
	if (answered > 0) {
		const others = left === undefined ? '' : ` Of the others, ${mayHaveBegun} ${left}`;
		return `${attempts} requests were sent, of which the service answered ${answered}.${others}`;
	}
	if (isUnsent && mayHaveBegun === 0) return `Tried ${attempts} times. Nothing reached the service.`;
	const some = mayHaveBegun === attempts ? 'Each of them' : `${mayHaveBegun} of them`;
	return `The request was sent ${attempts} times.${left === undefined ? '' : ` ${some} ${left}`}`;
}

/**
 * Says what the end of a run leaves behind: aborted requests, kept answers, changes at the service, and items that are not done.
 * @param request what to call one that was aborted: another one, where the error is about a request itself
 */
function describeEnd(
	{ abortedBills, kept, changes, earlierPasses, continues, items, undone }: RunEnd,
	request: 'request' | 'other request',
): string[] {
	const left = `${formatNumber(undone)} of ${countOf(items, 'item')} ${undone === 1 ? 'is' : 'are'} not done.`;
	const aborted = `${countOf(abortedBills, request)} ${abortedBills === 1 ? 'was' : 'were'} aborted before the end, and ${EFFECT_TEXTS.bill}`;
	const [are, they] = kept === 1 ? ['is', 'it is'] : ['are', 'they are'];
	// In queue mode, each worker keeps its own answers, and a node cannot tell whether it runs in a worker.
	const keptFor = `${countOf(kept, 'answer')} ${are} kept for the next run: if it begins within an hour in the same n8n process, ${they} not paid for again.`;
	const [was, it, its] = changes.count === 1 ? ['was', 'it', 'its item'] : ['were', 'them', 'their items'];
	const repeats = changes.what === 'request' ? 'sends' : 'makes';
	const changed = `${countOf(changes.count, changes.what)} ${was} carried out: a new run ${repeats} ${it} again, so leave out ${its}.`;
	return present([
		abortedBills > 0 && aborted,
		kept > 0 && keptFor,
		changes.count > 0 && changed,
		earlierPasses > 0 && describeEarlier(earlierPasses, continues),
		items > 1 && left,
	]);
}

/** Says what is kept of the earlier passes of a loop. A pass in which no item failed keeps nothing. */
function describeEarlier(count: number, continues: boolean): string {
	const answers = `The answers of ${countOf(count, 'earlier pass', 'earlier passes')} of the loop`;
	return continues
		? `${answers} are kept only if items failed in ${count === 1 ? 'it' : 'them'}.`
		: `${answers} are not kept: a new run asks for them again.`;
}

/** Returns the kind of failure for n8n 2.37 and later. Older versions ignore this option. */
function failureForN8n(facts: ServiceErrorFacts) {
	if (facts.httpStatus === 429) {
		const cause = isPerDay(facts.limit) ? ('quota-exhausted' as const) : ('rate-limited' as const);
		return { failure: { cause, retryAfterMs: facts.retryAfterMs } };
	}
	return facts.httpStatus === 503 || facts.httpStatus === 504
		? { failure: { cause: 'temporarily-unavailable' as const, retryAfterMs: facts.retryAfterMs } }
		: {};
}
