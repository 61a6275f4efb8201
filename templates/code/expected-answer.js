// Stops before anything is sent if a node that judges the rows would get the expected answer with them.
//= fields-to-send
/** Whether the code of an expression names this column, or the whole row. */
function hasColumn(code, column) {
	const escaped = column.replace(/[^\p{L}\p{N}_]/gu, '\\$&');
	const name = new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'u');
	return name.test(code) || /json\s*[,)}]/.test(code);
}

/** Returns the parameter with which a node sends this column, by its label. Returns undefined if it does not send it. */
function sentIn(node, column) {
	const { stateSource = 'item', stateFields, stateText = '', stateJson = '' } = $(node).params;
	const expressionsIn = (text) => String(text).match(/\{\{.*?\}\}/gs) ?? [];
	const isIn = (text) => expressionsIn(text).some((code) => hasColumn(code, column));
	if (stateSource === 'text') return isIn(stateText) ? 'Text' : undefined;
	if (stateSource === 'json') return isIn(stateJson) ? 'JSON' : undefined;
	const names = fieldsToSend(node);
	const isSent = names ? names.length === 0 || names.includes(column) : hasColumn(stateFields, column);
	return isSent ? 'Fields to Send' : undefined;
}

for (const node of JUDGING) {
	const expected = fieldName(EXPECTED);
	const label = sentIn(node, expected);
	if (label === undefined) continue;
	throw new Error(
		`"${node}" would send the column "${expected}" with the expected answers, and the figures would mean nothing. ` +
			`Nothing has been sent. In "${node}", name only the columns to judge under "${label}", without "${expected}". ` +
			`If "${expected}" has no expected answers, correct "Expected Field" in "Evaluate Answers".`,
	);
}
