import { join } from 'node:path';

import { stiltedPhrases } from '../scripts/englishCheck';
import { sourceComments } from '../scripts/sourceComments';

test.each([
	['Failed items leave by the error output.', 'leave by'],
	['Every call stands in `tool_calls`.', 'stands in'],
	['Per day: go on tomorrow.', 'go on'],
	['Whether, and which, tool the model is to call', 'is to call'],
	['Make a voice style of a reference recording.', undefined],
	['It makes a voice style of the recording.', 'makes a voice style of the'],
	['A probability from here on is a yes.', 'from here on'],
	['Right: 78 % of the rows.', '8 %'],
	['After deleting one, check all wires.', 'wires'],
	['The note belongs into a workflow.', 'belongs into'],
	['n8n\'s "Allowed domains" is honoured.', 'honoured'],
	['*Publish* gives the form an address of its own.', 'an address of its own'],
	['Which labels are mixed up.', 'mixed up'],
	['The stream consists of lines that are no events.', 'are no e'],
	['Rows are sent in portions.', 'portions'],
	['It shows from which confidence on you can trust them.', 'from which confidence on'],
	['It hands back an Excel file.', 'hands back'],
	['Answers questions about a text.', 'a text'],
	['From n8n 3 on, it is off.', 'From n8n 3 on'],
	['78% of answers are right.', 'answers are right'],
	['It tells whether the balance is low.', 'tells whether'],
	['The nodes are tried with servers of others.', 'servers of others'],
	['The tokens, null where the service reports none.', 'null where'],
])('%s', (text, words) => {
	expect(stiltedPhrases(text).map((found) => found.words)).toEqual(words === undefined ? [] : [words]);
});

test.each([
	'Whether to return a simplified version of the response instead of the raw data',
	'Failed items go to the error output.',
	'The first step is to the left.',
	'Models are added and removed over time.',
	'78% of the rows are correct.',
	'The trigger requires a threshold.',
	'A field is dragged onto a text parameter.',
	'These rows cannot tell whether it is better.',
])('nothing is wrong with: %s', (text) => {
	expect(stiltedPhrases(text)).toEqual([]);
});

test('comments are read as texts of several lines, without code', () => {
	expect(sourceComments(join(__dirname, '../scripts/sourceComments.ts'))).toEqual([
		{ line: 3, text: 'A line of a comment, without the marks around its text.' },
		{
			line: 8,
			text: 'The comments of a TypeScript file that begin a line, without the code in them. Adjacent lines are one text.',
		},
	]);
	const [several] = sourceComments(join(__dirname, 'savedWorkflows.test.ts'));
	expect(several!.text).toContain('a file is never changed and its snapshot never updated');
});
