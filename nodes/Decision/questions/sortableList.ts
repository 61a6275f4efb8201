/** When outputs are reordered, the editor moves their connections along only for n8n's own Switch node. */
export function routeHint(entry: 'an option' | 'a level'): string {
	return `With 'Route', each is an output. After deleting or moving ${entry}, check every connection.`;
}

/** Makes a list whose entries can be reordered. An entry's title is its field `title`, or a number while that field is empty. */
export function sortableList(add: string, title: string) {
	return {
		typeOptions: {
			multipleValues: true,
			multipleValueButtonText: add,
			sortable: true,
			fixedCollection: { itemTitle: `={{ $collection.item.value.${title} }}` },
		},
		placeholder: add,
	};
}
