import { isMissing } from '../../client/values/records';
import { listSearch } from '../shared/run/listSearch';
import { visibleText } from '../shared/text/composed';
import { increase } from '../shared/values/increase';
import { listStyles, readStyles, type StyleList } from './styles';

/**
 * Loads the list of Voice Style in Delete: the user's styles whose name, model or URI contains the filter. A style without a URI is
 * left out, because it cannot be deleted. Styles whose names look the same show their URIs.
 */
export const searchStyles = listSearch({
	...listStyles,
	read: (body: StyleList) => {
		const deletable = readStyles(body).filter(({ uri }) => !isMissing(uri));
		const named = deletable.map(({ customName, model, uri }) => ({
			name: shownText(customName) ?? String(uri),
			model: shownText(model) ?? 'unknown model',
			value: String(uri),
		}));
		const counts = new Map<string, number>();
		for (const { name } of named) increase(counts, visibleText(name));
		return named.map(({ name, model, value }) => ({
			name: `${name} (${model})${counts.get(visibleText(name)) === 1 ? '' : ` – ${value}`}`,
			value,
		}));
	},
});

/** Returns the text of a field as it is shown in the list, or undefined if nothing would be seen. */
function shownText(value: unknown): string | undefined {
	const text = String(value ?? '');
	return visibleText(text) === '' ? undefined : text;
}
