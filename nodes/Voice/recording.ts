import type { IBinaryData } from 'n8n-workflow';

import { FILES_IN_JSON, isBinaryValue } from '../shared/values/binaryValue';
import { shorten } from '../../client/values/shorten';
import { errorMessage } from '../shared/text/errorMessage';
import { sentText } from '../shared/fields/expressionRules';
import { field, subjectOf, option, toText } from '../shared/fields/Field';
import type { ItemContext } from '../shared/context/ItemContext';
import { ParameterError } from '../shared/fields/ParameterError';

/**
 * These types of files may hold a recording. A video has a sound track, and the last two are types of a file of unknown content: S3
 * gives "binary".
 */
const RECORDING_TYPE = /^(audio\/|video\/|(application|binary)\/octet-stream\b)/i;

/** Only files of these types are surely recordings. */
const MEDIA_TYPE = /^(audio|video)\//i;

/** An error shortens a longer type. */
const MAX_TYPE_CHARS = 100;

const CHUNK_BYTES = 64 * 1024;

/** Names a file of the item. An expression may also give the file itself. */
export const binaryName = field<string | IBinaryData>(
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'data',
		hint: 'The name of the input binary field that contains the recording',
	},
	(value, place) => (isBinaryValue(value) ? value : toText(value, place)),
);

export const fileName = option(
	sentText({
		displayName: 'File Name',
		name: 'fileName',
		placeholder: 'e.g. recording.mp3',
		description: "File name to send with the recording. Leave empty to use the file's own name.",
	}),
);

interface Recording {
	file: File;
	/** Is the same for files with the same content, whatever their names. */
	digest: string;
	/** Says whether the item has another file that is audio or video. */
	hasOthers: boolean;
}

/**
 * Reads a recording, as a file for a form.
 * @param given the name of the item's file, or the file itself
 * @param newName the file name in the form; if empty, the file's own name is used
 * @throws ParameterError if the item has no such file, n8n cannot read it, or it cannot be a recording
 */
export async function readRecording(
	item: ItemContext,
	given: string | IBinaryData,
	newName: string | undefined,
): Promise<Recording> {
	const file = typeof given === 'string' ? findFile(item, given) : given;
	checkRecordingType(file.mimeType ?? '', subjectOf(binaryName));
	// A server reads a form part without a file name as text, so the file always gets a name.
	const name = newName || file.fileName || 'audio';
	// A file without an ID has its content in the item itself, as base64.
	const content = file.id
		? await readStored(item, file.id).catch((error: unknown) => errorMessage(error))
		: fromBase64(file.data);
	if (typeof content === 'string') {
		throw new ParameterError(subjectOf(binaryName), `names a file that cannot be read (${content})`);
	}
	if (content.length === 0) {
		throw new ParameterError(
			subjectOf(binaryName),
			'names a file of 0 bytes',
			'Record or upload it again, or filter such items out.',
		);
	}
	return {
		file: toFormFile(content, name, file.mimeType),
		digest: await digestOf(content),
		hasOthers: [...filesOf(item).values()].some((one) => one !== file && MEDIA_TYPE.test(one.mimeType)),
	};
}

/**
 * Decodes base64. `Buffer` alone would skip what is no base64, and make noise of a data URI or of plain text.
 * @throws ParameterError
 */
function fromBase64(text: string): Buffer<ArrayBuffer> {
	if (!/[^A-Za-z0-9+/=_\s-]/.test(text)) return Buffer.from(text, 'base64');
	throw new ParameterError(
		subjectOf(binaryName),
		'names a file whose data is not base64',
		"Correct the node that makes the file: its 'data' must be base64 alone, without data:…;base64, at the beginning.",
	);
}

/** Returns a text that is the same for the same recordings, and for no others. */
export async function digestOf(content: Uint8Array<ArrayBuffer>): Promise<string> {
	return Buffer.from(await crypto.subtle.digest('SHA-256', content)).toString('base64');
}

/**
 * Checks that a file can be a recording.
 * @param type the MIME type; blank if it is unknown
 * @throws ParameterError
 */
export function checkRecordingType(type: string, subject: string): void {
	if (type.trim() === '' || RECORDING_TYPE.test(type.trim())) return;
	throw new ParameterError(
		subject,
		`must be a recording (audio or video), but its type is ${shorten(type, MAX_TYPE_CHARS)}`,
		'Choose another file. If this is a recording, set its MIME type in the node that supplies it.',
	);
}

/**
 * Reads a stored file with one copy in memory. `getBinaryDataBuffer` needs a second copy while it joins the chunks.
 * @throws Error if the file is not as long as n8n recorded, or cannot be read
 */
async function readStored(
	{ context: { helpers } }: ItemContext,
	id: string,
): Promise<Uint8Array<ArrayBuffer>> {
	const { fileSize } = await helpers.getBinaryMetadata(id);
	const content = Buffer.alloc(fileSize);
	let read = 0;
	for await (const chunk of (await helpers.getBinaryStream(id)) as AsyncIterable<Uint8Array>) {
		if (read + chunk.length <= fileSize) content.set(chunk, read);
		read += chunk.length;
	}
	if (read === fileSize) return content;
	throw new Error(`it has ${read} bytes instead of the ${fileSize} that n8n recorded`);
}

/**
 * Makes a file for a form without copying the content, as `new File([content])` would. n8n's request helper and the built-in fetch
 * use only its name, type, size and `stream()`.
 */
function toFormFile(content: Uint8Array, name: string, type: string): File {
	const stream = () => {
		let start = 0;
		return new ReadableStream<Uint8Array>({
			pull: (controller) => {
				if (start === content.length) controller.close();
				else {
					controller.enqueue(
						content.subarray(start, (start += Math.min(CHUNK_BYTES, content.length - start))),
					);
				}
			},
		});
	};
	return Object.defineProperties(new File([], name, { type }), {
		size: { value: content.length },
		stream: { value: stream },
	});
}

function findFile(item: ItemContext, given: string): IBinaryData {
	const files = filesOf(item);
	const only = files.size === 1 ? [...files.values()][0] : undefined;
	const file = files.get(given) ?? fileAt(item, given) ?? only;
	if (file) return file;
	throw new ParameterError(
		subjectOf(binaryName),
		files.size === 0
			? 'must name a file in the input item, which has none'
			: `must name a file in the input item. It has: ${[...files.keys()].join(', ')}`,
	);
}

function filesOf({ input }: ItemContext): Map<string, IBinaryData> {
	const all = Object.entries<unknown>({ ...input.binary, ...(input.json[FILES_IN_JSON] as object) });
	return new Map(all.filter((entry): entry is [string, IBinaryData] => isBinaryValue(entry[1])));
}

/** Finds the file at a path in the item's JSON, which is how n8n's combined binary mode names files. */
function fileAt({ context, index }: ItemContext, path: string): IBinaryData | undefined {
	try {
		const file: unknown = context.helpers.assertBinaryData(index, path);
		return isBinaryValue(file) ? file : undefined;
	} catch {
		return undefined;
	}
}
