import { firstOf } from '../shared/text/lists';
import { countOf, hintValue, inItems } from '../shared/text/wording';
import { increase } from '../shared/values/increase';
import { present } from '../shared/values/present';
import type { Unreadable } from './state/unreadable';

/** Describes a finding in the hint, which names the fields after it. */
interface Sentence {
	found: string;
	advice?: string;
	describeOthers?(others: number): string;
}

export type FieldFinding = 'missing' | 'answer' | 'file' | 'nameOfFile' | Unreadable | 'email';

const FILE_ADVICE = "To have its text judged, read it first with 'Extract from File'.";

/** The order is that of the hint. */
const SENTENCES: Record<FieldFinding, Sentence> = {
	missing: {
		found: 'Field not found, and not sent',
		advice: "Check 'Fields to Send'.",
		describeOthers: (others) => `${countOf(others, 'more field was', 'more fields were')} not found`,
	},
	answer: {
		found: 'The model saw what may already be the answer',
		advice: "To leave it out, name only the other fields in 'Fields to Send' of 'Whole Input Item'.",
	},
	file: {
		found: 'File not read, and not sent',
		advice: FILE_ADVICE,
		describeOthers: (others) => `Files in ${countOf(others, 'more field')} were not read`,
	},
	nameOfFile: { found: 'Only the name of a file was sent', advice: FILE_ADVICE },
	leftover: {
		found: 'Sent as "[object Object]", "undefined", "NaN" or a spreadsheet error',
		advice: 'Correct the node or the formula that writes this.',
	},
	encoded: {
		found: 'Sent as encoded text (base64), which the model cannot read',
		advice: 'Decode it before this node.',
	},
	link: {
		found: 'A link to a file was sent, and not the file',
		advice: "To have its text judged, download it with 'HTTP Request', and read it with 'Extract from File'.",
	},
	email: {
		found: 'Only the beginning of the email was sent',
		advice: 'For its whole text, turn off the simplified output of the node that reads it.',
	},
};

const FINDINGS = Object.keys(SENTENCES) as FieldFinding[];

/** Counts, for the hint after a run, the items in which something was found of a field. */
export class FieldFindings {
	private readonly counts = new Map(FINDINGS.map((finding) => [finding, new Map<string, number>()]));

	/**
	 * Counts an item in which these fields have the finding.
	 * @param fields the names of fields of one item
	 */
	add(finding: FieldFinding, fields: string[]): void {
		for (const name of fields) increase(this.counts.get(finding)!, name);
	}

	/**
	 * Returns lines of HTML: each finding with its fields.
	 * @param items the number of items of the run
	 */
	describe(items: number): string[] {
		return [...this.counts].flatMap(([finding, counts]) => {
			if (counts.size === 0) return [];
			const { found, advice, describeOthers = moreFields } = SENTENCES[finding];
			const { first, others } = firstOf(counts, 'finding');
			const fields = first.map(([name, times]) => `${hintValue(name)} (${inItems(times, items)})`).join(', ');
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
