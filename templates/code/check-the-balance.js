// "Retry" of a poll that failed does not ask the service again: the trigger then hands on an item without a balance.
const items = $input.all();
if (items.some(({ json }) => json.total_balance === undefined)) {
	throw new Error(
		'There is no balance. "Retry" does not ask for it: the trigger asks again at its next poll.',
	);
}
return items;
