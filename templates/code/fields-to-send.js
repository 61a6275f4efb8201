/** Returns a field's name without what the editor puts around it: $json before it, and ['brackets']. */
function fieldName(text) {
	const name = text.trim().replace(/^\$json\.?/, '');
	return name.replace(/^\[['"](.*)['"]\]$/, '$1').normalize('NFC');
}

/** Returns the names in "Fields to Send" of a node, none if it sends all. Returns undefined if an expression names them. */
function fieldsToSend(node) {
	const text = String($(node).params.stateFields ?? '').replace(/^=/, '');
	if (text.includes('{{')) return undefined;
	const names = text.match(/(?:\[[^\]]*\]|[^,])+/g) ?? [];
	return names.map(fieldName).filter((name) => name !== '');
}
