import { reportedError } from '../../client/response/errors';
import { readEvents } from '../../client/response/readEvents';
import { fillText } from '../support/fillText';

// A function whose time grows with the square of the length of a text would take minutes for these.

async function* inChunks(text: string): AsyncGenerator<Uint8Array> {
	const bytes = new TextEncoder().encode(text);
	for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000);
}

async function readAll(text: string): Promise<void> {
	for await (const _event of readEvents(inChunks(text), { isEnded: false, endMark: '[DONE]' }));
}

test.each(['data: 1\n', '\r', 'junk\n', ':\n', 'data: {}\n\n'])(
	'400 kB of %j as a stream give an error without delay',
	async (line) => {
		await expect(readAll(fillText(line))).rejects.toThrow(/ended before it was complete|more than/);
	},
);

test.each(['<h1', '<title ', '<'])(
	'an HTML error page of 400 kB of %j gives a message without delay',
	(tag) => {
		expect(reportedError(`<html>${fillText(tag)}`).message).toBeDefined();
	},
);
