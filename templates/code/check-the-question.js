//= one-item if ONE
// Stops before anything is sent if the question will not give the columns that later nodes need.
const COLUMNS = {
	noul: (id) => [id, `${id}_yes`],
	choice: (id) => [id, `${id}_confidence`],
	score: (id) => [id, `${id}_level`, `${id}_confidence`],
	tags: (id) => [id, `${id}_text`],
};
const { questions, simplify, options } = $(NODE).params;
if (simplify === false) throw new Error(`Turn on "Simplify" in "${NODE}": later nodes need its columns.`);
if (options?.outputField)
	throw new Error(`Delete the option "Output Field" of "${NODE}": later nodes need its columns.`);
const columns = (questions?.question ?? []).flatMap(
	({ id, type }) => COLUMNS[type ?? 'noul']?.(String(id ?? 'answer').trim()) ?? [],
);
const lacking = NEEDED.find((name) => !columns.includes(name));
if (lacking !== undefined) {
	throw new Error(
		`"${NODE}" gives no column "${lacking}", and later nodes need it. Change the ID or the type of the question back, ` +
			`or change "${lacking}" here and in the later nodes.`,
	);
}
//= expected-answer if JUDGING

return $input.all();
