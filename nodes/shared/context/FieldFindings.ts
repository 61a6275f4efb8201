import { firstOf } from '../text/lists';
import type { Unreadable } from '../text/unreadable';
import { countOf, hintValue, inItems } from '../text/wording';
import { present } from '../values/present';
import { SentFindings } from './SentFindings';

/** Describes a finding in the hint, which names the fields after it, or the expressions that read them. */
interface Sentence {
	found: string;
	advice?: string;
	describeOthers?(others: number): string;
}

export type FieldFinding =
	| ('missing' | 'blank' | 'answer' | 'headers' | 'file' | 'nameOfFile' | 'email' | 'number' | 'unused')
	| Unreadable;

const FILE_ADVICE = "To have its text judged, read it first with 'Extract from File'.";

/** The order is that of the hint. */
const SENTENCES: Record<FieldFinding, Sentence> = {
	missing: {
		found: 'Field not found, and not sent',
		advice: "Check 'Fields to Send'.",
		describeOthers: (others) => `${countOf(others, 'more field was', 'more fields were')} not found`,
	},
	blank: {
		found: 'A field was blank. Its text is in another field, which was not sent',
		advice: 'Send that field too.',
	},
	answer: {
		found: 'The model saw what may already be the answer',
		advice: "To leave it out, name only the other fields in 'Fields to Send' of 'Whole Input Item'.",
	},
	headers: {
		found: 'The headers of the webhook, which may hold keys and cookies, were sent too',
		advice: 'To leave them out, send only body or query.',
	},
	file: {
		found: 'File not read, and not sent',
		advice: FILE_ADVICE,
		describeOthers: (others) => `Files in ${countOf(others, 'more field')} were not read`,
	},
	nameOfFile: { found: 'Only the name of a file was sent', advice: FILE_ADVICE },
	leftover: {
		found: 'Sent as "[object Object]", "undefined", "NaN", empty braces or commas, or a spreadsheet error',
		advice: 'Correct the node, the expression or the formula that writes this.',
	},
	encoded: {
		found: 'Sent as encoded text (base64), which the model cannot read',
		advice: 'Decode it before this node.',
	},
	link: {
		found: 'A link to a file was sent, and not the file',
		advice: "To send its text, download it with 'HTTP Request', and read it with 'Extract from File'.",
	},
	unused: {
		found: 'Nothing from the item was sent, although it has a text',
		advice: 'Drag this field into the text that you send.',
	},
	number: {
		found: 'Only a number was sent, such as a phone number or an ID',
		advice: 'Send the field with the words too.',
	},
	email: {
		found: 'Only the beginning of the email was sent',
		advice:
			'For its whole text, turn off the simplified output of the node that reads it, or send the field with the whole text.',
	},
};

const FINDINGS = Object.keys(SENTENCES) as FieldFinding[];

/** Counts, for the hint after a run, the items that were sent and in which something was found of a field. */
export class FieldFindings {
	private readonly sent = new SentFindings();

	/**
	 * Takes note of fields of an item that have the finding. They count from the next `countItem` on.
	 * @param fields the names of the fields, or the expressions that read them
	 */
	add(itemIndex: number, finding: FieldFinding, fields: string[]): void {
		for (const name of fields) this.sent.add(itemIndex, JSON.stringify([finding, name]));
	}

	/** Counts what was found in an item that sends a request. */
	countItem(itemIndex: number): void {
		this.sent.countItem(itemIndex);
	}

	/**
	 * Returns lines of HTML: each finding with its fields.
	 * @param items the number of items of the run
	 */
	describe(items: number): string[] {
		const all = [...this.sent.counts].map(
			([key, times]) => [...(JSON.parse(key) as [FieldFinding, string]), times] as const,
		);
		return FINDINGS.flatMap((finding) => {
			const counts = all.filter(([one]) => one === finding);
			if (counts.length === 0) return [];
			const { found, advice, describeOthers = moreFields } = SENTENCES[finding];
			const { first, others } = firstOf(counts, 'finding');
			const fields = first
				.map(([, name, times]) => `${hintValue(name)} (${inItems(times, items)})`)
				.join(', ');
			return present([
				advice === undefined ? `${found}: ${fields}` : `${found}: ${fields}. ${advice}`,
				others > 0 && describeOthers(others),
			]);
		});
	}
}

function moreFields(others: number): string {
	return `and ${countOf(others, 'more field')}`;
}
