import type { Job } from '../Job';
import { countAtOnce } from './atOnce';
import type { Peer } from './Peer';
import { bodyFor, headersFor, isAnswer } from './request';

/** Sends items with Node's built-in fetch alone, on which "Reuse Connections" is based. */
export function bareFetch({ concurrency }: Job): Peer {
	return async (items, service) =>
		await countAtOnce(items, concurrency, async (item) => {
			const response = await fetch(`${service.url}/systemone`, {
				method: 'POST',
				headers: headersFor(service),
				body: bodyFor(item),
			});
			return isAnswer(await response.json());
		});
}
