import type { Batch } from '../contract/types';

/**
 * Represents the batches of the account. The service's document shows no way to create one, so any ID counts as an existing
 * batch.
 */
export class Batches {
	private readonly byId = new Map<string, Batch>();

	/** Cancels a batch. A second call changes nothing. `now` is in Unix seconds. */
	cancel(id: string, now: number): Batch {
		const batch = this.byId.get(id) ?? this.queued(id, now);
		batch.cancelling_at ??= now;
		this.byId.set(id, batch);
		return batch;
	}

	private queued(id: string, now: number): Batch {
		return {
			id,
			object: 'batch',
			endpoint: '/v1/chat/completions',
			errors: null,
			input_file_id: 'file_000001',
			completion_window: '24h',
			status: 'in_queue',
			output_file_id: null,
			error_file_id: null,
			created_at: now - 60,
			in_progress_at: null,
			expires_at: now - 60 + 24 * 60 * 60,
			finalizing_at: null,
			completed_at: null,
			failed_at: null,
			expired_at: null,
			cancelling_at: null,
			cancelled_at: null,
			request_counts: null,
			metadata: {},
		};
	}
}
