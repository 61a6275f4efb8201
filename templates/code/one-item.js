// Later nodes read the first item only, so that all others would be lost.
if ($input.all().length > 1) {
	throw new Error(
		`This workflow takes one ${ONE} at a time, but got ${$input.all().length}. Start it once for each: ` +
			'call it by "Execute Sub-workflow", with the mode "Run once for each item".',
	);
}
