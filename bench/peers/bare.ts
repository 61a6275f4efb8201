import { Pool } from 'undici';

import type { Job } from '../Job';
import { countAtOnce } from './atOnce';
import type { Peer } from './Peer';
import { bodyFor, headersFor, isAnswer } from './request';

/** undici with one connection for each request in flight. No other client for Node was faster. */
export function undici({ concurrency }: Job): Peer {
	return {
		run: async (items, service) => {
			const { origin, pathname } = new URL(`${service.url}/systemone`);
			const pool = new Pool(origin, { connections: concurrency });
			const answered = await countAtOnce(items, concurrency, async (item) => {
				const { body } = await pool.request({
					method: 'POST',
					path: pathname,
					headers: headersFor(service),
					body: bodyFor(item),
				});
				return isAnswer(await body.json());
			});
			await pool.close();
			return answered;
		},
	};
}

/** Node's built-in fetch with nothing around it. */
export function bareFetch({ concurrency }: Job): Peer {
	return {
		run: async (items, service) =>
			await countAtOnce(items, concurrency, async (item) => {
				const response = await fetch(`${service.url}/systemone`, {
					method: 'POST',
					headers: headersFor(service),
					body: bodyFor(item),
				});
				return isAnswer(await response.json());
			}),
	};
}
