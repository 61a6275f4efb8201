import { setTimeout } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { Job } from '../Job';
import { decision } from './decision';
import type { Peer } from './Peer';

/**
 * This package's Decision node. One execution has the first items, and at the same time the others arrive as form
 * submissions.
 * @param delaysMs receives the time from each form's submission to its answer
 */
export function forms(job: Job, delaysMs: number[]): Peer {
	const node = decision(job, false);
	const { count, everyMs } = job.forms ?? { count: 0, everyMs: 0 };
	return {
		run: async (items, service) => {
			const submit = async (item: IDataObject, order: number) => {
				await setTimeout(order * everyMs);
				const submittedAt = performance.now();
				const answered = await node.run([item], service);
				delaysMs.push(performance.now() - submittedAt);
				return answered;
			};
			const ofRun = items.slice(0, items.length - count);
			const submitted = items.slice(items.length - count);
			const answered = await Promise.all([
				ofRun.length > 0 ? node.run(ofRun, service) : 0,
				...submitted.map(submit),
			]);
			return answered.reduce((sum, one) => sum + one, 0);
		},
	};
}
