/** When outputs are reordered, the editor moves their connections along only for n8n's own Switch node. */
export const ROUTE_HINT =
	"With 'Route', each is an output. Renaming one keeps it connected; after deleting or moving one, check all connections.";

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
