import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isMissing, isRecord } from '../../../client/values/records';
import type { Field } from '../../shared/fields/Field';
import { expressionsWithin, fixedTextsWithin, READS_ITEM } from '../../shared/fields/expressionText';
import { pathFinder } from '../../shared/text/fieldPath';
import { lonelyNumberIn, unreadableIn } from '../../shared/text/unreadable';
import type { ItemContext } from '../../shared/context/ItemContext';
import { contentsOf, hasHeaders, isFailedResponse } from '../../shared/context/knownItems';
import type { RunContext } from '../../shared/context/RunContext';
import { WorkflowGraph } from '../../shared/context/WorkflowGraph';
import { isItemError } from '../../shared/run/nodeErrors';
import { yieldRegularly } from '../../shared/run/yieldRegularly';
import { hasContent } from '../../shared/text/hasContent';
import { listFirst } from '../../shared/text/lists';
import { countOf, formatNumber, hintValue, inItems } from '../../shared/text/wording';
import { increase } from '../../shared/values/increase';
import { present } from '../../shared/values/present';
import { questionsJson } from '../questions/questionsJson';
import { typedQuestions } from '../questions/typedQuestions';
import { fileNamesOf, nameOfFile } from './files';
import { onlyListIn } from './onlyList';
import {
	noteBlankFields,
	noteEmail,
	notePlaceholders,
	noteUnused,
	placeholdersIn,
} from '../../shared/context/sentNotes';

/** In fewer items, a field may be blank because nobody filled it in. */
const MIN_ITEMS_WITH_BLANK = 10;

const AGGREGATE = 'n8n-nodes-base.aggregate';

/** Takes note of what the items of a run send, as far as it was probably not meant so. */
export class SentStates {
	/** Counts the items of which chosen fields were sent. */
	private itemsWithChosen = 0;

	/** Counts the items in which a chosen field was blank, by the field's name. */
	private readonly blankFields = new Map<string, number>();

	/** Holds the results of `anyItemHas`, by the names of the fields. */
	private readonly foundFields = new Map<string, Promise<boolean>>();

	/** Holds the names in single braces in the fixed texts of the questions. It is undefined until the first item. */
	private placeholderNames: ReadonlySet<string> | undefined;

	/** Counts the items of which the error of an earlier node was sent. */
	private itemsWithError = 0;

	/** Says whether nothing was sent beside any of the errors of earlier nodes. */
	private areErrorsAlone = true;

	/** Counts the items that are responses with an error status. */
	private failedResponses = 0;

	/** Says whether a person named the error among what is sent. */
	private hasChosenError = false;

	/** Counts the items of which only a list of several objects was sent, and the objects, by the name of the list. */
	private readonly onlyLists = new Map<string, { items: number; entries: number }>();

	/**
	 * Takes note of what is to be sent for an item and was probably not meant so.
	 * @param written the field in which a person wrote it. It is undefined if it is fields of the item.
	 */
	noteSent(item: ItemContext, sent: unknown, written?: Field): void {
		const expressions = written ? writtenExpressions(item.run, written) : [];
		noteEmail(item, sent, expressions);
		noteBlankFields(item, sent, expressions);
		notePlaceholders(item, this.placeholders(item.run), sent);
		const number = lonelyNumberIn(sent);
		// The words may be in a question.
		if (number !== undefined && !questionsReadItem(item.run)) item.noteFields('number', [number]);
		if (typeof sent !== 'object' || sent === null) return;
		for (const [field, reason] of unreadableIn(sent)) item.noteFields(reason, [field]);
	}

	/**
	 * Takes note of an item's fields that are to be sent and have the name of an answer, and of the headers of a webhook. Such fields may be
	 * earlier answers, or what a person expects, and the model sees them before it answers. One with the name of Output Field may as well
	 * be the text to judge, unless it holds such fields.
	 */
	noteSentFields(item: ItemContext, fields: IDataObject, columns: string[], outputField?: string): void {
		if (hasHeaders(fields)) item.noteFields('headers', ['headers']);
		const areIn = (value: unknown) => isRecord(value) && columns.some((column) => !isMissing(value[column]));
		const isAnswer = (name: string) =>
			(columns.includes(name) && !isMissing(fields[name])) || (name === outputField && areIn(fields[name]));
		item.noteFields('answer', Object.keys(fields).filter(isAnswer));
	}

	/**
	 * Takes note of an item that is sent as a whole, or of a text, if a field is nothing but the name of its file.
	 * @param fields what is sent, with its names
	 */
	noteNameOfFile(item: ItemContext, fields: IDataObject): void {
		const fileNames = fileNamesOf(item.input);
		const name = fileNames.length === 0 ? undefined : nameOfFile(fields, fileNames);
		if (name !== undefined) item.noteFields('nameOfFile', [name]);
	}

	/**
	 * Takes note of an item of which nothing but a list was sent.
	 * @param isWhole whether the whole item was sent, so that nobody has chosen a field of it
	 * @param isOnly whether the run has no other item
	 */
	noteOnlyList(fields: IDataObject, isWhole: boolean, isOnly: boolean): void {
		const list = onlyListIn(fields);
		// Whoever chose a list by a name that says what it holds wants it as one thing. Several items with a list may each be one thing,
		// too, unless they say that they are pages.
		if (!list || !(isWhole || list.isContainer) || !(isOnly || list.isPage)) return;
		const { items, entries } = this.onlyLists.get(list.name) ?? { items: 0, entries: 0 };
		this.onlyLists.set(list.name, { items: items + 1, entries: entries + list.entries });
	}

	/**
	 * Counts an item whose error was sent. Most nodes that continue after a failure leave an error alone. Those of this package keep the
	 * input's fields, and their errors are known by their own fields.
	 * @param isWhole whether the whole item was sent, so that nobody asked for the error
	 */
	noteError(state: unknown, json: IDataObject, isWhole: boolean): void {
		if (isFailedResponse(json)) this.failedResponses++;
		const { error } = json;
		if (!hasContent(error)) return;
		const sent =
			typeof state === 'string'
				? { [state.trim() === String(error).trim() ? 'error' : 'text']: state }
				: state;
		const contents = [...contentsOf(sent as IDataObject, false)];
		const isAlone = contents.length === 1;
		if (!contents.includes('error') || !(isAlone || isItemError(error))) return;
		this.itemsWithError++;
		if (!isAlone) this.areErrorsAlone = false;
		if (!isWhole) this.hasChosenError = true;
	}

	/** Takes note of an item for which a person wrote what to send, if neither that nor a question reads the item. */
	noteWritten(item: ItemContext, source: Field): void {
		noteUnused(item, writtenExpressions(item.run, source));
	}

	private placeholders({ parameters }: RunContext): ReadonlySet<string> {
		const texts = () =>
			[typedQuestions, questionsJson].flatMap((field) => fixedTextsWithin(parameters.stored(field)));
		this.placeholderNames ??= new Set(texts().flatMap(placeholdersIn));
		return this.placeholderNames;
	}

	/**
	 * Counts an item of which chosen fields are sent.
	 * @param blank the names of those that hold nothing in this item
	 */
	noteChosen(blank: string[]): void {
		this.itemsWithChosen++;
		for (const name of blank) increase(this.blankFields, name);
	}

	/** Returns whether any item of the run has one of these fields. If none has, the names are probably wrong. */
	async anyItemHas(names: string[], run: RunContext): Promise<boolean> {
		const key = JSON.stringify(names);
		const known = this.foundFields.get(key) ?? searchItems(names, run);
		this.foundFields.set(key, known);
		return await known;
	}

	/**
	 * Returns lines of HTML about the states, beside what is said of single fields.
	 * @param answered the number of items that were answered
	 */
	describe({ context, items }: RunContext, answered: number): string[] {
		return present([
			this.describeBlank(),
			this.describeErrors(answered),
			this.failedResponses > 0 &&
				`Responses with an error status, such as 404, were judged all the same (${inItems(this.failedResponses, items.length)}). Filter them out before this node.`,
			this.describeOnlyList(context),
		]);
	}

	private describeBlank(): string | undefined {
		const { blankFields, itemsWithChosen } = this;
		if (itemsWithChosen < MIN_ITEMS_WITH_BLANK) return undefined;
		const blank = [...blankFields].filter(([, times]) => times === itemsWithChosen);
		if (blank.length === 0) return undefined;
		const names = listFirst(blank, 'finding', ([name]) => hintValue(name));
		return `Chosen, but blank in every item: ${names.join(', ')}. Check 'Fields to Send'.`;
	}

	private describeErrors(answered: number): string | undefined {
		const { itemsWithError: count, areErrorsAlone } = this;
		const isAllThatIsSent = areErrorsAlone && count === answered;
		if (count === 0 || (isAllThatIsSent && this.hasChosenError)) return undefined;
		const [verb, were, them] = count === 1 ? ['holds', 'was', 'it'] : ['hold', 'were', 'them'];
		const only = areErrorsAlone ? 'only ' : '';
		const exception = isAllThatIsSent ? '; if the error is what you ask about, ignore this' : '';
		return `${countOf(count, 'item')} ${verb} ${only}the error of an earlier node, in "error", and ${were} judged all the same. Filter ${them} out before this node${exception}.`;
	}

	private describeOnlyList(context: IExecuteFunctions): string | undefined {
		const [found] = this.onlyLists;
		if (!found || isAggregated(context)) return undefined;
		const [name, { items, entries }] = found;
		const judged =
			items === 1
				? 'entries, which were judged together'
				: `entries in ${formatNumber(items)} items, and those of each item were judged together`;
		return `"${hintValue(name)}" holds ${formatNumber(entries)} ${judged}. For an answer to each entry, put 'Split Out' before this node.`;
	}
}

/** Returns whether an "Aggregate" leads to the node, which undoes what "Split Out" does: somebody wants the list as one item. */
function isAggregated(context: IExecuteFunctions): boolean {
	const graph = WorkflowGraph.of(context);
	const sources = graph?.sourcesOf(context.getNode().name) ?? [];
	return sources.some((name) => graph!.node(name)?.type === AGGREGATE);
}

async function searchItems(names: string[], { items, signal }: RunContext): Promise<boolean> {
	const pause = yieldRegularly();
	const finders = names.map(pathFinder);
	for (const { json } of items) {
		if (signal.aborted || finders.some((find) => find(json))) return true;
		await pause();
	}
	return false;
}

/** Returns the expressions in what a person wrote to be judged, and in the questions about it. */
function writtenExpressions(run: RunContext, source: Field): string[] {
	return run.sentExpressions(() => expressionsOf(run, source, typedQuestions, questionsJson));
}

function questionsReadItem(run: RunContext): boolean {
	return expressionsOf(run, typedQuestions, questionsJson).some((expression) => READS_ITEM.test(expression));
}

function expressionsOf({ parameters }: RunContext, ...fields: Field[]): string[] {
	return fields.flatMap((field) => expressionsWithin(parameters.stored(field)));
}
