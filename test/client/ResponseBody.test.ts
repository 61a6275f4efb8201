import { ResponseBody } from '../../client/response/ResponseBody';
import { IdleTimeout, Watchdog } from '../../client/time/IdleTimeout';
import { VirtualClock } from '../support/VirtualClock';

/** Makes a body of these chunks, and counts how many of them were read. */
function bodyOf(chunks: Iterable<Uint8Array>) {
	const timeout = new IdleTimeout(new Watchdog(new VirtualClock(0)), 1000, new AbortController().signal);
	const seen = { chunks: 0 };
	async function* read() {
		for (const chunk of chunks) {
			seen.chunks++;
			yield chunk;
		}
	}
	return { body: new ResponseBody(read(), timeout), timeout, seen };
}

function* repeat(count: number, bytes: number, text: string) {
	for (let index = 0; index < count; index++) yield Buffer.alloc(bytes, text);
}

test('of an error that is longer than 100 kB, only the first 100 kB are read', async () => {
	const { body, seen } = bodyOf(repeat(50, 30_000, 'x'));
	expect(await body.errorText()).toBe('x'.repeat(100_000));
	expect(seen.chunks).toBe(4);
});

test('an error that ends before 100 kB is read to its end, letters in two chunks included', async () => {
	const text = '“価格 🙂”';
	const bytes = Buffer.from(text);
	const { body } = bodyOf([...bytes].map((byte) => Uint8Array.of(byte)));
	expect(await body.errorText()).toBe(text);
});

test('a letter that the limit of 100 kB cuts in two is left out', async () => {
	const { body } = bodyOf(repeat(1, 120_000, '價'));
	const text = await body.errorText();
	expect(text).toHaveLength(33_333);
	expect(text.includes('\ufffd')).toBe(false);
});

test('of the rest after the result, 64 kB are read, and then the connection is closed', async () => {
	const { body, timeout, seen } = bodyOf(repeat(50, 30_000, ' '));
	await body.next();
	await body.finish();
	expect(seen.chunks).toBe(1 + 3);
	expect(timeout.signal.aborted).toBe(true);
});

test('a rest of less than 64 kB is read to its end, so that the connection can be used again', async () => {
	const { body, timeout, seen } = bodyOf(repeat(3, 30_000, ' '));
	await body.next();
	await body.finish();
	expect(seen.chunks).toBe(3);
	expect(timeout.signal.aborted).toBe(false);
});
