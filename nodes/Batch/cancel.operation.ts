import { bodyWith } from '../../client/response/errors';
import { isMissing, type UnknownFields } from '../../client/values/records';
import type { Batch } from '../../contract/types';
import { decisive } from '../shared/fields/expressionRules';
import { refine, required, textField, trimmed } from '../shared/fields/Field';
import { operation } from '../shared/node/Operation';
import { ParameterError } from '../shared/fields/ParameterError';
import { simplify } from '../shared/fields/sharedFields';
import { countOf } from '../shared/text/wording';
import { present } from '../shared/values/present';
import { SameTarget } from '../shared/run/SameTarget';

const NO_TIMES = {
	created_at: null,
	in_progress_at: null,
	expires_at: null,
	finalizing_at: null,
	completed_at: null,
	failed_at: null,
	expired_at: null,
	cancelling_at: null,
	cancelled_at: null,
} satisfies { [Name in keyof Batch as Name extends `${string}_at` ? Name : never]: null };

/** The year 9999 ends with this second. ISO 8601 has no later years without an agreement. */
const MAX_SECONDS = 253_402_300_799;

/** The ID is percent-encoded, because it becomes one segment of the path. */
const batchId = refine(
	trimmed(
		required(
			decisive(
				textField({
					displayName: 'Batch ID',
					name: 'batchId',
					required: true,
					placeholder: 'e.g. batch_000001',
					description: 'The ID that the service returned when the batch was created',
					hint: 'Copy it from where the batch was created: these nodes cannot create or list batches',
				}),
			),
		),
	),
	(id, { subject }) => {
		// URLs resolve "." and ".." even if they are percent-encoded, so the request would go to another path.
		if (id === '.' || id === '..') throw new ParameterError(subject, `must not be "${id}"`);
		if (/\p{Surrogate}/u.test(id)) throw new ParameterError(subject, 'must not contain invalid characters');
		return encodeURIComponent(id);
	},
);

export const cancel = operation({
	value: 'cancel',
	name: 'Cancel',
	description: 'Ask the service to stop a batch that has not completed',
	action: 'Cancel batch',
	fields: { batchId, simplify },
	begin: () => ({ withoutCancellation: 0, target: new SameTarget() }),
	run: async (item, values, counts) => {
		const { result } = await item.call({
			method: 'POST',
			path: `/batches/${values.batchId}/cancel`,
			repeat: 'unless-timed-out',
			effect: 'change',
			read: bodyWith<Batch>('id'),
		});
		counts.target.add();
		if (!isCancelled(result)) counts.withoutCancellation++;
		return { json: values.simplify ? simplified(result) : result };
	},
	summarize: ({ withoutCancellation, target }, run) =>
		present([
			describeWithoutCancellation(withoutCancellation),
			target.describe(batchId, 'cancelled the same batch', run),
		]).join(' ') || undefined,
});

function describeWithoutCancellation(count: number): string | undefined {
	if (count === 0) return undefined;
	const [has, it, was] = count === 1 ? ['has', 'it', 'was'] : ['have', 'they', 'were'];
	return `${countOf(count, 'batch', 'batches')} ${has} neither cancelling_at nor cancelled_at: ${it} ${was} probably not cancelled.`;
}

/** Returns whether a batch has one of the times of a cancellation, or a status that says so. The service documents only the times. */
function isCancelled({ cancelling_at, cancelled_at, status }: UnknownFields<Batch>): boolean {
	const isTold = typeof status === 'string' && /^cancel/i.test(status);
	return isTold || toIsoTime(cancelling_at) !== null || toIsoTime(cancelled_at) !== null;
}

/** Adds missing timestamps as null, so that all items have the same columns. The first spread keeps the service's order. */
function simplified(batch: UnknownFields<Batch>): object {
	const fields = Object.entries({ ...batch, ...NO_TIMES, ...batch });
	return Object.fromEntries(
		fields.map(([name, value]) => [name, name.endsWith('_at') ? toIsoTime(value) : value]),
	);
}

/** A date, perhaps with a time, and perhaps with a time zone after it. */
const ISO_TIME =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(?:Z|UTC|GMT|([+-]\d\d):?(\d\d))?$/i;

/** A time with the name of its month and its zone can be read in one way only, unlike 05/06/2026. */
const NAMED_TIME = /\b[a-z]{3}\b.*(?:GMT|UTC|[+-]\d\d:?\d\d)$/i;

/**
 * Writes a time as ISO 8601, because n8n does not read Unix seconds as a date.
 * @param value Unix seconds, or a text, in UTC if it names no time zone. It is not a time if it is missing, blank, or before 1970:
 * services write 0, -1 or the year 1 for what has not happened yet. A number whose year in seconds would have five digits is taken
 * for milliseconds, as JavaScript has times: so are those of every year since 1978.
 */
function toIsoTime(value: unknown): string | null {
	const time = toMilliseconds(value);
	return time > 0 && time <= MAX_SECONDS * 1000 ? new Date(time).toISOString() : null;
}

/** Returns NaN for what is no time. */
function toMilliseconds(value: unknown): number {
	if (typeof value === 'number') return value > MAX_SECONDS ? value : value * 1000;
	if (typeof value !== 'string' || isMissing(value)) return NaN;
	const text = value.trim();
	const [isIso, date, clock = '00:00', hours = '+00', minutes = '00'] = ISO_TIME.exec(text) ?? [];
	if (isIso !== undefined) return Date.parse(`${date}T${clock}${hours}:${minutes}`);
	return NAMED_TIME.test(text) ? Date.parse(text) : toMilliseconds(Number(text));
}
