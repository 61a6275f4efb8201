import { countOf } from './countOf';

/** Such as "17 minutes ago". Clock times would be those of the server, not of the reader. */
export function agoOf(milliseconds: number): string {
	const minutes = Math.floor(milliseconds / 60_000);
	return minutes < 1 ? 'less than a minute ago' : `${countOf(minutes, 'minute')} ago`;
}
