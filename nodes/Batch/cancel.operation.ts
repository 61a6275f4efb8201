import { decodeJsonObject } from '../../client/decodeJson';
import type { ResponseToDecode } from '../../client/Decoder';
import type { Received } from '../../client/Received';
import { checkHasText } from '../../client/reportedError';
import type { Batch } from '../../contract/types';
import { refine, required, textField } from '../shared/fields/Field';
import type { Operation } from '../shared/run/Operation';
import { ParameterError } from '../shared/fields/ParameterError';
import { simplify } from '../shared/fields/sharedFields';

/** What a simplified batch has, whatever the service leaves out. */
const EMPTY_BATCH = {
	id: null,
	object: null,
	endpoint: null,
	errors: null,
	input_file_id: null,
	completion_window: null,
	status: null,
	output_file_id: null,
	error_file_id: null,
	created_at: null,
	in_progress_at: null,
	expires_at: null,
	finalizing_at: null,
	completed_at: null,
	failed_at: null,
	expired_at: null,
	cancelling_at: null,
	cancelled_at: null,
	request_counts: null,
	metadata: null,
} satisfies Record<keyof Batch, null>;

/** As one segment of a path. */
const batchId = refine(
	required(
		textField({
			displayName: 'Batch ID',
			name: 'batchId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. batch_000001',
			description: 'The service returns it when a batch is created, as its ID',
		}),
	),
	(id, { subject }) => {
		// A dot segment cannot be encoded: whatever its spelling, URLs resolve it.
		if (id === '.' || id === '..') throw new ParameterError(subject, `must not be "${id}"`);
		if (/\p{Surrogate}/u.test(id)) throw new ParameterError(subject, 'must not contain invalid characters');
		return encodeURIComponent(id);
	},
);

export const cancel: Operation = {
	value: 'cancel',
	name: 'Cancel',
	description: 'Ask the service to stop a batch that has not completed',
	action: 'Cancel batch',
	fields: [batchId],
	run: async (item) => {
		const { result } = await item.call({
			method: 'POST',
			path: `/batches/${item.read(batchId)}/cancel`,
			repeat: 'unless-timed-out',
			effect: 'change',
			decode: decodeBatch,
			resource: 'batch ID',
		});
		return { json: item.read(simplify) ? simplified(result) : result };
	},
};

/** @throws ServiceError for a response without the batch's ID, which is a failure whatever its status says */
async function decodeBatch(response: ResponseToDecode): Promise<Received<Batch>> {
	const batch = await decodeJsonObject<Batch>(response);
	checkHasText(batch, 'id');
	return batch;
}

function simplified(batch: Received<Batch>): object {
	const fields = Object.entries({ ...EMPTY_BATCH, ...batch });
	return Object.fromEntries(
		fields.map(([name, value]) => [name, name.endsWith('_at') ? toIsoTime(value) : value]),
	);
}

/** @param value Unix seconds, or nothing for what has not happened */
function toIsoTime(value: unknown): string | null {
	const isSeconds = typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value));
	if (!isSeconds && typeof value !== 'string') return null;
	const date = new Date(isSeconds ? Number(value) * 1000 : value);
	return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
