/** What is sent to a model: fields of the contract, then whatever the option "Extra Body Fields" adds or replaces. */
export type RequestBody = Record<string, unknown>;

/** The same body without the fields that are undefined, an empty text or an empty list: they were not filled in. */
export function withoutEmpty(body: RequestBody): RequestBody {
	return Object.fromEntries(Object.entries(body).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
	return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
