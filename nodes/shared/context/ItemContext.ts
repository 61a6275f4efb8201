import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { CallResult } from '../../../client/Transport';
import type { CallPolicy, ServiceClient, ServiceRequest } from '../../../client/ServiceClient';
import { hasExpressions, pathRead, readMember, READS_ITEM } from '../fields/expressionText';
import type { Field, ValuesOf } from '../fields/Field';
import { once } from '../values/once';
import type { Caller } from '../service/Caller';
import { callPolicy } from '../service/callPolicy';
import { fieldWithHtml } from '../text/fieldWithHtml';
import { valueAt } from '../text/fieldPath';
import { hasContent } from '../text/hasContent';
import { isFieldIn } from '../text/isFieldIn';
import { namedField } from '../text/namedField';
import { hasSentence } from '../text/sentence';
import type { FieldFinding } from './FieldFindings';
import { beginningOfEmail, contentsOf, lengthOfText } from './knownItems';
import type { RunContext } from './RunContext';
import { MIN_EQUAL_ITEMS } from './SentTexts';

/**
 * Describes the effects that remain if an item fails after some of its requests have succeeded. An operation that sends several
 * requests for an item writes them, and the error of the item reads them.
 */
export interface LastingEffects {
	/** Counts the requests that the service answered. */
	answered: number;
	/** Describes the tool calls that ran, such as `refund {"order":7}`. */
	toolsRun: string[];
}

/** Other programs fill in the value of a field where a text has its name so, such as {message}. */
const PLACEHOLDER = /(?<!\{)\{([^{}]+)\}(?!\})/g;

/** Returns the names in a text that stand in single braces. */
export function placeholdersIn(text: unknown): string[] {
	return typeof text !== 'string' ? [] : [...text.matchAll(PLACEHOLDER)].map(([, field]) => field!);
}

/** Represents one input item, as an operation sees it: its parameters, and calls of the service for it. */
export class ItemContext implements Caller {
	readonly done: LastingEffects = { answered: 0, toolsRun: [] };

	constructor(
		readonly run: RunContext,
		readonly index: number,
	) {}

	get context(): IExecuteFunctions {
		return this.run.context;
	}

	get input(): INodeExecutionData {
		return this.run.items[this.index]!;
	}

	/** The signal is aborted when the execution is stopped, or an item's failure ends the run. */
	get signal(): AbortSignal {
		return this.run.signal;
	}

	/**
	 * Returns the value of a field for this item.
	 * @throws ParameterError
	 */
	read<Value>(field: Field<Value>): Value {
		return this.run.parameters.read(field, this.index);
	}

	/**
	 * Returns the values of several fields for this item.
	 * @throws ParameterError
	 */
	readEach<Fields extends Record<string, Field>>(fields: Fields): ValuesOf<Fields> {
		return this.run.parameters.readEach(fields, this.index);
	}

	/**
	 * Takes note of a text without expressions that is to be sent. If it is the name of a field, or has one in single braces, the value of
	 * the field was probably meant.
	 */
	noteFixedText(text: unknown): void {
		if (typeof text !== 'string') return;
		this.noteFieldName(text);
		for (const field of placeholdersIn(text)) this.notePlaceholder(field);
	}

	/** Takes note of a text without expressions that is nothing but the name of a field. */
	noteFieldName(text: string): void {
		const name = text.trim();
		const path = namedField(name, this.input.json);
		if (path) this.run.fieldNames.add(this.index, JSON.stringify([name, ...path]));
	}

	/**
	 * Takes note of names in single braces, if the item has such fields, and they are not sent.
	 * @param sent a text, an object, or a list of these
	 */
	notePlaceholders(names: Iterable<string>, sent: unknown): void {
		const { json } = this.input;
		// A text may name a field that the model gets.
		for (const name of names) if (!isFieldIn(sent, name, json[name])) this.notePlaceholder(name);
	}

	/** Takes note of a name in single braces, if the item has such a field. */
	private notePlaceholder(field: string): void {
		if (!Object.hasOwn(this.input.json, field)) return;
		this.run.fieldNames.add(this.index, JSON.stringify([`{${field}}`, field]));
	}

	/** Takes note of fields that are to be sent, and of which something was found. */
	noteFields(finding: FieldFinding, fields: string[]): void {
		this.run.fieldFindings.add(this.index, finding, fields);
	}

	/**
	 * Takes note of an item with a text if nothing of any item is sent. Of several items without an expression, it is said that all sent
	 * the same.
	 * @param expressionsIn returns all expressions in what is sent
	 */
	noteUnused(expressionsIn: () => string[]): void {
		const { isTool, items } = this.run;
		if (isTool) return;
		const expressions = this.run.sentExpressions(expressionsIn);
		if (items.length >= MIN_EQUAL_ITEMS && expressions.length === 0) return;
		if (expressions.some((expression) => READS_ITEM.test(expression))) return;
		const { json } = this.input;
		// The headers of a webhook name the browser in a sentence.
		for (const name of contentsOf(json, false)) {
			if (!hasSentence(json[name])) continue;
			this.noteFields('unused', [name]);
			return;
		}
	}

	/**
	 * Takes note if only the beginning of an email is to be sent.
	 * @param sent a text, an object, or a list of these
	 * @param expressions the expressions in it
	 */
	noteEmail(sent: unknown, expressions: string[]): void {
		const { json } = this.input;
		const email = beginningOfEmail(json);
		if (!email || !isFieldIn(sent, email.field, json[email.field])) return;
		const { field, wholes } = email;
		if (wholes.some((name) => this.isSent([name], sent, expressions))) return;
		// A short email is no longer than its beginning.
		const isLonger = (name: string) => lengthOfText(json[name]) > lengthOfText(json[field]);
		if (wholes.length === 0 || wholes.some(isLonger)) this.noteFields('email', [field]);
	}

	/**
	 * Takes note of fields that expressions read, and that are blank beside the same text as HTML, which is not sent.
	 * @param sent a text, an object, or a list of these
	 * @param expressions the expressions in it
	 */
	noteBlankFields(sent: unknown, expressions: string[]): void {
		const { json } = this.input;
		for (const expression of expressions) {
			const name = pathRead(expression);
			const path = name === undefined ? undefined : this.run.findPath(name, json);
			if (!path || hasContent(valueAt(json, path))) continue;
			const withHtml = fieldWithHtml(json, path);
			if (!withHtml || this.isSent(withHtml, sent, expressions)) continue;
			this.noteFields('blank', [withHtml.join('.')]);
		}
	}

	/** Returns whether a field is to be sent, as a whole or as a part that an expression makes of it. */
	private isSent(path: string[], sent: unknown, expressions: string[]): boolean {
		const name = path.at(-1)!;
		return isFieldIn(sent, name, valueAt(this.input.json, path)) || readMember(expressions, name);
	}

	/** Takes note of the texts of these fields as `noteFixedText` does, except of those with expressions. */
	noteFixedTexts(...fields: Array<Field<string>>): void {
		for (const field of fields) {
			if (!hasExpressions(this.run.parameters.stored(field))) this.noteFixedText(this.read(field));
		}
	}

	/** Takes note of a tool call that was made, such as `refund {"order":7}`. */
	noteToolRun(call: string): void {
		this.done.toolsRun.push(call);
		this.run.countChange('tool call');
	}

	/** Counts the tokens of a response. A number is null if the service did not report it. */
	countTokens(input: number | null, output: number | null): void {
		this.run.countTokens(input, output);
	}

	/**
	 * Calls the service for this item, with the timeout, Max Retries and Max Wait of its options.
	 * @throws ServiceError
	 */
	async call<Result>(request: ServiceRequest<Result>): Promise<CallResult<Result>> {
		const { client, policy } = await this.prepareCalls();
		const { budget, emptyExpressions, fieldFindings, fieldNames, sentTexts } = this.run;
		for (const findings of [emptyExpressions, fieldFindings, fieldNames]) findings.countItem(this.index);
		// An item that the service refuses has sent its text, too.
		if (request.effect === 'bill' && request.json !== undefined) sentTexts.add(this.index, request.json);
		const call = async () => await client.call(request, policy);
		const called = await (budget?.spend(policy.item, call) ?? call());
		if (request.effect === 'change') this.run.countChange('request');
		return called;
	}

	/**
	 * Returns the client and the item's policy, which all calls of the item share, because their waits count together against Max
	 * Wait. It rejects with a ParameterError or a CredentialError, which must fail an item that calls nothing, too.
	 */
	readonly prepareCalls = once(async (): Promise<{ client: ServiceClient; policy: CallPolicy }> => {
		const { run } = this;
		const { concurrency, maxRetries, maxWaitSeconds, timeoutMs } = run.options;
		// The whole run follows the first item's Concurrency, but a wrong one fails its own item.
		const options = { concurrency, maxRetries, maxWaitSeconds, timeoutMs };
		const values = this.readEach(options);
		const shared = run.beginCalls();
		const client = await run.client();
		return { client, policy: callPolicy(client, options, values, shared) };
	});
}
