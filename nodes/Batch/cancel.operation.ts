import { decodeJsonObject } from '../../client/decodeJson';
import type { ResponseToDecode } from '../../client/Decoder';
import type { Received } from '../../client/Received';
import { checkHasText } from '../../client/reportedError';
import type { Batch } from '../../contract/types';
import { refine, required, textField } from '../shared/fields/Field';
import type { Operation } from '../shared/run/Operation';
import { ParameterError } from '../shared/fields/ParameterError';
import { simplify } from '../shared/fields/sharedFields';

/**
 * Every simplified batch has these fields, even if the service leaves some out. Those that show whether it has stopped come
 * first.
 */
const EMPTY_BATCH = {
	id: null,
	status: null,
	cancelling_at: null,
	cancelled_at: null,
	request_counts: null,
	errors: null,
	created_at: null,
	in_progress_at: null,
	finalizing_at: null,
	completed_at: null,
	failed_at: null,
	expires_at: null,
	expired_at: null,
	endpoint: null,
	completion_window: null,
	input_file_id: null,
	output_file_id: null,
	error_file_id: null,
	metadata: null,
	object: null,
} satisfies Record<keyof Batch, null>;

/** The ID becomes one segment of the path, so it is encoded. */
const batchId = refine(
	required(
		textField({
			displayName: 'Batch ID',
			name: 'batchId',
			required: true,
			placeholder: 'e.g. batch_000001',
			description: 'The ID that the service returned when the batch was created',
			hint: 'You get it where the batch was created: these nodes can neither create nor list batches',
		}),
	),
	(id, { subject }) => {
		// A dot segment cannot be encoded: URLs resolve it however it is spelled.
		if (id === '.' || id === '..') throw new ParameterError(subject, `must not be "${id}"`);
		if (/\p{Surrogate}/u.test(id)) throw new ParameterError(subject, 'must not contain invalid characters');
		return encodeURIComponent(id);
	},
);

/** Whether a batch has not stopped yet. */
interface CancelState {
	isStopping: boolean;
}

export const cancel: Operation<CancelState> = {
	value: 'cancel',
	name: 'Cancel',
	description: 'Ask the service to stop a batch that has not completed',
	action: 'Cancel batch',
	fields: [batchId],
	begin: () => ({ isStopping: false }),
	run: async (item, state) => {
		const { result } = await item.call({
			method: 'POST',
			path: `/batches/${item.read(batchId)}/cancel`,
			repeat: 'unless-timed-out',
			effect: 'change',
			decode: decodeBatch,
		});
		state.isStopping ||= (result.cancelled_at ?? null) === null;
		return { json: item.read(simplify) ? simplified(result) : result };
	},
	summarize: ({ isStopping }, { mayShowData }) =>
		isStopping && mayShowData
			? "The service was asked to stop the batch. It has stopped once 'cancelled_at' is set. Until then it may keep its old status."
			: undefined,
};

/** @throws ServiceError for a response without the batch's ID, which is a failure even with a success status */
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
