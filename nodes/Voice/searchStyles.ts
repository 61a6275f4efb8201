import { isMissing } from '../../client/values/records';
import { listSearch } from '../shared/run/listSearch';
import { increase } from '../shared/values/increase';
import { listStyles, readStyles, type StyleList } from './styles';

/**
 * Loads the list of Voice Style in Delete: the user's styles whose name, model or URI contains the filter. A style without a URI is
 * left out, because it cannot be deleted. Styles of one name show their URIs.
 */
export const searchStyles = listSearch({
	...listStyles,
	read: (body: StyleList) => {
		const deletable = readStyles(body).filter(({ uri }) => !isMissing(uri));
		const named = deletable.map(({ customName, model, uri }) => ({
			name: String(customName ?? uri),
			model: String(model ?? 'unknown model'),
			value: String(uri),
		}));
		const counts = new Map<string, number>();
		for (const { name } of named) increase(counts, name);
		return named.map(({ name, model, value }) => ({
			name: `${name} (${model})${counts.get(name) === 1 ? '' : ` – ${value}`}`,
			value,
		}));
	},
});
