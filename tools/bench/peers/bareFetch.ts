import type { Job } from '../Job';
import { countAtOnce } from './atOnce';
import type { Peer } from './Peer';
import { bodyFor, headersFor, isAnswer } from './request';

/** Node's built-in fetch with nothing around it: what "Reuse Connections" is based on. */
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
