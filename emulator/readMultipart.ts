import { createHash } from 'node:crypto';

import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

import type { RecordedFile, RecordedMultipart } from './RecordedRequest';

const KEPT_BYTES = 1024 * 1024;

/** Parses a multipart body as it arrives, and keeps at most 1 MiB of it. Rejects when it is malformed. */
export async function readMultipart(
	request: FastifyRequest,
): Promise<{ multipart: RecordedMultipart; rawBody: Buffer }> {
	const multipart: RecordedMultipart = { fields: {}, files: [], repeated: [] };
	const seen = new Set<string>();
	let rawChunks: Buffer[] = [];
	let rawSize = 0;
	request.raw.on('data', (chunk: Buffer) => {
		rawSize += chunk.length;
		if (rawSize <= KEPT_BYTES) rawChunks.push(chunk);
		else rawChunks = [];
	});
	for await (const part of request.parts()) {
		if (seen.has(part.fieldname)) multipart.repeated.push(part.fieldname);
		seen.add(part.fieldname);
		if (part.type === 'file') multipart.files.push(await readFile(part));
		else multipart.fields[part.fieldname] = String(part.value);
	}
	return { multipart, rawBody: Buffer.concat(rawChunks) };
}

async function readFile(part: Extract<Multipart, { type: 'file' }>): Promise<RecordedFile> {
	const hash = createHash('sha256');
	let size = 0;
	let chunks: Buffer[] = [];
	for await (const chunk of part.file as AsyncIterable<Buffer>) {
		hash.update(chunk);
		size += chunk.length;
		if (size <= KEPT_BYTES) chunks.push(chunk);
		else chunks = [];
	}
	return {
		field: part.fieldname,
		fileName: part.filename,
		mimeType: part.mimetype,
		size,
		sha256: hash.digest('hex'),
		...(size <= KEPT_BYTES && { bytes: Buffer.concat(chunks) }),
	};
}
