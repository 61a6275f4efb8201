import type { IDataObject } from 'n8n-workflow';

import { isMissing, isRecord } from '../../client/values/records';
import { pathFinder } from '../shared/text/fieldPath';
import type { RunContext } from '../shared/context/RunContext';
import { isItemError } from '../shared/run/nodeErrors';
import { increase } from '../shared/values/increase';
import { yieldRegularly } from '../shared/run/yieldRegularly';
import { countOf, formatNumber, hintValue, inItems } from '../shared/text/wording';
import { AnswerTally } from './answers/AnswerTally';
import { SentOptions } from './answers/SentOptions';
import { RouteTally } from './routing/RouteTally';
import { present } from '../shared/values/present';
import { unreadableIn, type Unreadable } from './state/unreadable';
import {
	beginningOfEmail,
	contentsOf,
	hasContent,
	hasHeaders,
	isFailedResponse,
	nameOfFile,
	onlyListIn,
} from './state/content';

/** The hint names at most this many fields that were not found, and as many with files. */
const MAX_NAMED_FIELDS = 5;

/** In fewer items, a field may be blank because nobody filled it in. */
const MIN_ITEMS_WITH_BLANK = 10;

const FILE_ADVICE = "To have its text judged, read it first with 'Extract from File'.";

/** For each reason why the model cannot read a field, the hint says what was sent, and what to do. */
const UNREADABLE: Record<Unreadable, [finding: string, advice: string]> = {
	leftover: [
		'Sent as "[object Object]", "undefined", "NaN" or an error of a sheet',
		'Correct the node or the formula that writes this.',
	],
	encoded: ['Sent as encoded text (base64), which the model cannot read', 'Decode it before this node.'],
	link: [
		'A link to a file was sent, and not the file',
		"To have its text judged, download it with 'HTTP Request', and read it with 'Extract from File'.",
	],
};

const EMAIL_ADVICE = 'For its whole text, turn off the simplified output of the node that reads it.';

const HEADERS_ADVICE = "To leave them out, name body or query in 'Fields to Send'.";

const SEEN_ADVICE = "To leave them out, name only the others in 'Fields to Send' of 'Whole Input Item'.";

/** Represents the state that all decisions of one run share. */
export class DecisionRun {
	readonly answers = new AnswerTally();

	readonly routes = new RouteTally();

	readonly sentOptions = new SentOptions();

	/** Counts the items that had nothing to send. */
	private emptyItems = 0;

	/** Counts the items in which a field was missing, by the field's name. */
	private readonly missingFields = new Map<string, number>();

	/** Counts the items of which chosen fields were sent. */
	private itemsWithChosen = 0;

	/** Counts the items in which a chosen field was blank, by the field's name. */
	private readonly blankFields = new Map<string, number>();

	/** Counts the items in which a field was or held a file, which is not sent, by the field's name. */
	private readonly unreadFiles = new Map<string, number>();

	/** Counts the items with a field that the model cannot read, by the reason and the field's name. */
	private readonly unreadable = new Map(
		(['leftover', 'encoded', 'link'] as const).map((reason) => [reason, new Map<string, number>()]),
	);

	/** Counts the items of which only the beginning of an email was sent, by the name of its field. */
	private readonly shortenedEmails = new Map<string, number>();

	/** Counts the items that were sent with the name of a file that was not, by the name of its field. */
	private readonly namesOfFiles = new Map<string, number>();

	/** Counts the items that were sent with a field that has the name of an answer, by the field's name. */
	private readonly sentAnswers = new Map<string, number>();

	/** Holds the functions that find a field in an item, by the field's name. */
	private readonly finders = new Map<string, ReturnType<typeof pathFinder>>();

	/** Holds the results of `anyItemHas`, by the names of the fields. */
	private readonly foundFields = new Map<string, Promise<boolean>>();

	/** Counts the items that were sent with the headers of a webhook. */
	private itemsWithHeaders = 0;

	/** Counts the items of which nothing but an error was sent. */
	private errorsAlone = 0;

	/** Counts the items of which the error of a node of this package was sent with other content. */
	private errorsAmongOthers = 0;

	/** Counts the items that are responses with an error status. */
	private failedResponses = 0;

	/** Says whether a person named the error among what is sent. */
	private hasChosenError = false;

	/** Counts the items of which only a list of several objects was sent, and the objects, by the name of the list. */
	private readonly onlyLists = new Map<string, { items: number; entries: number }>();

	/**
	 * Counts the fields of an item that were sent and have the name of an answer, and the headers of a webhook. Such fields may be earlier
	 * answers, or what a person expects, and the model sees them before it answers.
	 */
	noteSentFields(state: IDataObject, columns: string[]): void {
		if (hasHeaders(state)) this.itemsWithHeaders++;
		for (const [name, value] of Object.entries(state)) {
			if (columns.includes(name) && !isMissing(value)) increase(this.sentAnswers, name);
		}
	}

	/** Counts an item of which only the beginning of an email was sent. */
	noteEmail(json: IDataObject, state: unknown): void {
		const beginning = beginningOfEmail(json);
		if (beginning === undefined) return;
		const isSent =
			typeof state === 'string'
				? state.includes(String(json[beginning]))
				: Object.hasOwn(state as object, beginning);
		if (isSent) increase(this.shortenedEmails, beginning);
	}

	/** Counts the fields of what was sent that the model cannot read. */
	noteUnreadable(state: object): void {
		for (const [field, reason] of unreadableIn(state)) increase(this.unreadable.get(reason)!, field);
	}

	/**
	 * Takes note of an item that was sent as a whole, so that nobody has chosen a field of it.
	 * @param isOnly whether the run has no other item
	 */
	noteWholeItem(fields: IDataObject, fileNames: string[], isOnly: boolean): void {
		const list = onlyListIn(fields);
		// Several items with a list may each be one thing, unless they say that they are pages.
		if (list && (isOnly || list.isPage)) {
			const { items, entries } = this.onlyLists.get(list.name) ?? { items: 0, entries: 0 };
			this.onlyLists.set(list.name, { items: items + 1, entries: entries + list.entries });
		}
		const nameField = fileNames.length === 0 ? undefined : nameOfFile(fields, fileNames);
		if (nameField !== undefined) increase(this.namesOfFiles, nameField);
	}

	/**
	 * Counts an item whose error was sent with nothing else. Most nodes that continue after a failure leave an error alone. Those of this
	 * package keep the input's fields, and their errors are known by their own fields.
	 * @param isWhole whether the whole item was sent, so that nobody asked for the error
	 */
	noteError(state: unknown, json: IDataObject, isWhole: boolean): void {
		if (isFailedResponse(json)) this.failedResponses++;
		const { error } = json;
		if (!hasContent(error)) return;
		if (typeof state === 'string') {
			if (typeof error !== 'string' || state.trim() !== error.trim()) return;
			this.errorsAlone++;
		} else {
			if (!isRecord(state)) return;
			const contents = contentsOf(state as IDataObject, false);
			if (!contents.includes('error')) return;
			if (contents.length === 1) this.errorsAlone++;
			else if (isItemError(error)) this.errorsAmongOthers++;
			else return;
		}
		if (!isWhole) this.hasChosenError = true;
	}

	/** Returns the keys that lead to a field in an item, or undefined if the item has no such field. */
	findPath(name: string, json: object): string[] | undefined {
		const find = this.finders.get(name) ?? pathFinder(name);
		this.finders.set(name, find);
		return find(json);
	}

	/** Counts an item that has nothing to send, and goes to the output Uncertain. */
	addEmpty(): void {
		this.emptyItems++;
		this.routes.addEmpty();
	}

	/**
	 * Counts an item for each field that it lacks, for the hint after the run.
	 * @param fields the names of fields that one item lacks
	 */
	countMissing(fields: string[]): void {
		for (const name of fields) increase(this.missingFields, name);
	}

	/**
	 * Counts an item of which chosen fields are sent.
	 * @param blank the names of those that hold nothing in this item
	 */
	noteChosen(blank: string[]): void {
		this.itemsWithChosen++;
		for (const name of blank) increase(this.blankFields, name);
	}

	/**
	 * Counts an item for each of its fields with a file, for the hint after the run.
	 * @param fields the names of fields of one item whose files are not sent
	 */
	countUnread(fields: string[]): void {
		for (const name of fields) increase(this.unreadFiles, name);
	}

	/** Returns whether any item of the run has one of these fields. If none has, the names are probably wrong. */
	async anyItemHas(names: string[], run: RunContext): Promise<boolean> {
		const key = JSON.stringify(names);
		const known = this.foundFields.get(key) ?? searchItems(names, run);
		this.foundFields.set(key, known);
		return await known;
	}

	/** Returns the decisions' part of the hint above the output, as HTML, or undefined if there is nothing to say. */
	describe({ items, mayShowData }: RunContext): string | undefined {
		const { answers, emptyItems, missingFields, routes, sentAnswers, sentOptions, unreadFiles } = this;
		const isOnlyOne = answers.items === 1 && mayShowData;
		const lines: Array<string | false | undefined> = [
			answers.items > 0 && !isOnlyOne && `${countOf(answers.items, 'item')} answered.`,
			emptyItems > 0 && `${countOf(emptyItems, 'item')} had nothing to send.`,
		];
		if (mayShowData) {
			const missing = listFields(missingFields, items.length);
			const unread = listFields(unreadFiles, items.length);
			const seen = listFields(sentAnswers, items.length);
			lines.push(
				...answers.describe(),
				...routes.describe(),
				...missing.listed.map((field) => `Field not found, and not sent: ${field}`),
				missing.more > 0 && `${countOf(missing.more, 'more field was', 'more fields were')} not found`,
				this.describeBlank(),
				seen.listed.length > 0 &&
					`The model saw these fields before it answered: ${seen.listed.join(', ')}. ${SEEN_ADVICE}`,
				...sentOptions
					.find()
					.slice(0, MAX_NAMED_FIELDS)
					.map(
						({ id, field }) =>
							`The model saw the field "${hintValue(field)}", whose values are all possible answers to "${hintValue(id)}". If these are the expected answers, leave it out of 'Fields to Send', or an evaluation is worthless.`,
					),
				...unread.listed.map((field) => `File not read, and not sent: ${field}. ${FILE_ADVICE}`),
				unread.more > 0 && `Files in ${countOf(unread.more, 'more field')} were not read`,
				...listFields(this.namesOfFiles, items.length).listed.map(
					(field) => `File not read, only its name was sent: ${field}. ${FILE_ADVICE}`,
				),
				...[...this.unreadable].flatMap(([reason, fields]) => {
					const { listed } = listFields(fields, items.length);
					const [finding, advice] = UNREADABLE[reason];
					return listed.length === 0 ? [] : [`${finding}: ${listed.join(', ')}. ${advice}`];
				}),
				...listFields(this.shortenedEmails, items.length).listed.map(
					(field) => `Only the beginning of the email was sent: ${field}. ${EMAIL_ADVICE}`,
				),
				this.itemsWithHeaders > 0 &&
					`The headers of the webhook were sent too (${inItems(this.itemsWithHeaders, items.length)}). They may hold keys and cookies. ${HEADERS_ADVICE}`,
				this.describeErrors(),
				this.failedResponses > 0 &&
					`Responses with an error status, such as 404, were judged all the same (${inItems(this.failedResponses, items.length)}). Filter them out before this node.`,
				this.describeOnlyList(),
			);
		}
		return present(lines).join('<br>') || undefined;
	}

	private describeBlank(): string | undefined {
		const { blankFields, itemsWithChosen } = this;
		if (itemsWithChosen < MIN_ITEMS_WITH_BLANK) return undefined;
		const blank = [...blankFields].filter(([, times]) => times === itemsWithChosen);
		if (blank.length === 0) return undefined;
		const names = blank.slice(0, MAX_NAMED_FIELDS).map(([name]) => hintValue(name));
		return `Chosen, but blank in every item: ${names.join(', ')}. Check 'Fields to Send'.`;
	}

	private describeErrors(): string | undefined {
		const { answers, errorsAlone, errorsAmongOthers } = this;
		const count = errorsAlone + errorsAmongOthers;
		const areAllAlone = errorsAlone === answers.items;
		if (count === 0 || (areAllAlone && this.hasChosenError)) return undefined;
		const [verb, were, them] = count === 1 ? ['holds', 'was', 'it'] : ['hold', 'were', 'them'];
		const only = errorsAmongOthers === 0 ? 'only ' : '';
		const exception = areAllAlone ? '; if the error is what you ask about, ignore this' : '';
		return `${countOf(count, 'item')} ${verb} ${only}the error of an earlier node, in "error", and ${were} judged all the same. Filter ${them} out before this node${exception}.`;
	}

	private describeOnlyList(): string | undefined {
		const [found] = this.onlyLists;
		if (!found) return undefined;
		const [name, { items, entries }] = found;
		const judged =
			items === 1
				? 'entries, which were judged together'
				: `entries in ${formatNumber(items)} items, and those of an item were judged together`;
		return `"${hintValue(name)}" holds ${formatNumber(entries)} ${judged}. For an answer to each, put Split Out before this node.`;
	}
}

/** Describes the first fields, and counts the others. */
function listFields(fields: ReadonlyMap<string, number>, items: number): { listed: string[]; more: number } {
	const listed = [...fields]
		.slice(0, MAX_NAMED_FIELDS)
		.map(([name, times]) => `${hintValue(name)} (${inItems(times, items)})`);
	return { listed, more: fields.size - listed.length };
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
