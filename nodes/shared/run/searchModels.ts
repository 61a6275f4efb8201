import { isFilledText, isRecord, type UnknownFields } from '../../../client/values/records';
import { responseFailure, ServiceError } from '../../../client/ServiceError';
import { listSearch } from './listSearch';

/** A server without a list of models may answer so. */
const STATUSES_WITHOUT_LIST: readonly number[] = [404, 405, 501];

const NO_LIST = "The server has no list of models. Choose 'By ID', and enter the model's ID.";

type ModelList = UnknownFields<{ data: unknown; models: unknown }>;

/** Loads the list of Model: the server's models whose ID contains the filter, sorted. */
export const searchModels = listSearch(
	{ method: 'GET', path: '/models', repeat: 'always', read: readModels },
	(error) => (error instanceof ServiceError && lacksList(error) ? NO_LIST : undefined),
);

/**
 * Reads a list of models in either of its forms: `{ data: [{ id }] }` of most servers, `{ models: [{ name }] }` of Kev's own one.
 * llama.cpp sends both.
 * @throws CallFailure for a response without a list
 */
function readModels({ data, models }: ModelList): Array<{ name: string; value: string }> {
	const ids = idsOf(data, 'id') ?? idsOf(models, 'name');
	if (!ids) throw responseFailure('The response has no list of models');
	return [...new Set(ids)].sort((a, b) => a.localeCompare(b, 'en')).map((id) => ({ name: id, value: id }));
}

function idsOf(list: unknown, field: string): string[] | undefined {
	if (!Array.isArray(list)) return undefined;
	return list.flatMap((model: unknown) => {
		const id = isRecord(model) ? model[field] : undefined;
		return isFilledText(id) ? id : [];
	});
}

function lacksList({ facts }: ServiceError): boolean {
	return (
		facts.kind === 'response' || (facts.kind === 'status' && STATUSES_WITHOUT_LIST.includes(facts.httpStatus))
	);
}
