import { stiltedPhrases } from '../scripts/englishCheck';

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
])('nothing is wrong with: %s', (text) => {
	expect(stiltedPhrases(text)).toEqual([]);
});
