import type { IBinaryData } from 'n8n-workflow';

import { ServiceError } from '../../client/ServiceError';
import { FILES_IN_JSON, isBinaryValue } from '../shared/run/binaryValue';
import { errorMessage } from '../shared/text/errorMessage';
import { field, named, option, textField, toText } from '../shared/fields/Field';
import type { ItemContext } from '../shared/run/ItemContext';
import { ParameterError } from '../shared/fields/ParameterError';

/** Characters of base64 that are decoded at once; a multiple of four. */
const SLICE = 1024 * 1024;

/** The name of a file of the item, or the file itself, from an expression. */
export const binaryPropertyName = field<string | IBinaryData>(
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'data',
		hint: 'The name of the input binary field that contains the recording',
		displayOptions: { show: { audioSource: ['binary'] } },
	},
	(value, place) => (isBinaryValue(value) ? value : toText(value, place)),
);

export const fileName = option(
	textField({
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. recording.mp3',
		description: "File name to send with the recording. If empty, the file's own name is sent.",
		displayOptions: { show: { '/audioSource': ['binary'] } },
	}),
);

/** A file of the input item. It is read while it is sent, so the whole file is never in memory. */
export class Recording {
	private readonly readers: Array<AsyncGenerator<Uint8Array>> = [];

	constructor(
		private readonly name: string,
		private readonly mimeType: string,
		/** The size in bytes. */
		private readonly size: number,
		/** Reads the content from its beginning. */
		private readonly read: () => AsyncGenerator<Uint8Array>,
	) {}

	/**
	 * The recording for one form. n8n's request helper and the built-in fetch use only the name, the type, the size and
	 * `stream()` of a form's file.
	 * @param fail is told why the content can no longer be read
	 */
	toFormFile(fail: (reason: ServiceError) => void): File {
		return Object.defineProperties(new File([], this.name, { type: this.mimeType }), {
			size: { value: this.size },
			stream: { value: () => this.open(fail) },
		});
	}

	/** Ends all reading: a failed request does not close the stream of its body, so a stored file would stay open. */
	close(): void {
		for (const reader of this.readers) void reader.return(undefined);
	}

	private open(fail: (reason: ServiceError) => void): ReadableStream<Uint8Array> {
		const reader = this.read();
		this.readers.push(reader);
		let sentBytes = 0;
		return new ReadableStream({
			pull: async (controller) => {
				const next = await reader.next().catch((error: unknown) => unreadable(errorMessage(error)));
				if (next instanceof ServiceError) return await stopReading(fail, next);
				sentBytes += next.done ? 0 : next.value.length;
				const isWhole = next.done ? sentBytes === this.size : sentBytes <= this.size;
				if (!isWhole) {
					return await stopReading(
						fail,
						unreadable(`its size differs from the ${this.size} bytes n8n recorded`),
					);
				}
				if (next.done) controller.close();
				else controller.enqueue(next.value);
			},
			cancel: async () => {
				await reader.return(undefined);
			},
		});
	}
}

function unreadable(problem: string): ServiceError {
	return new ServiceError({ kind: 'request', message: `The recording cannot be read: ${problem}` });
}

/**
 * Leaves the stream open. The built-in fetch reports an error of a form's stream where it cannot be caught, and if the
 * stream ended early, a part of the file would look like a complete request.
 */
async function stopReading(fail: (reason: ServiceError) => void, reason: ServiceError): Promise<never> {
	fail(reason);
	return await new Promise<never>(() => {});
}

/**
 * The file that `binaryPropertyName` names.
 * @throws ParameterError when the item has none of that name
 */
export async function findRecording(item: ItemContext): Promise<Recording> {
	const { helpers } = item.context;
	const file = findFile(item);
	const { id, mimeType } = file;
	const name = withoutWayUp(item.read(fileName) || file.fileName || '') || defaultName(file);
	// Without an ID the content is in the item itself, as base64.
	if (!id) {
		const digits = digitsOf(file.data);
		return new Recording(name, mimeType, Math.floor((digits.length * 3) / 4), () => decode(digits));
	}
	const metadata = await helpers.getBinaryMetadata(id).catch((error: unknown) => String(error));
	if (typeof metadata === 'string') {
		throw new ParameterError(named(binaryPropertyName), `names a file that no longer exists (${metadata})`);
	}
	const { fileSize } = metadata;
	return new Recording(name, mimeType, fileSize, async function* () {
		yield* await helpers.getBinaryStream(id);
	});
}

function findFile(item: ItemContext): IBinaryData {
	const given = item.read(binaryPropertyName);
	const file = typeof given === 'string' ? (fileNamed(item, given) ?? onlyFile(item)) : given;
	if (file) return file;
	const names = filesOf(item).flatMap((files) => Object.keys(files));
	throw new ParameterError(
		named(binaryPropertyName),
		names.length === 0
			? 'must name a file of the input item, which has none'
			: `must name a file of the input item. It has: ${names.join(', ')}`,
	);
}

function fileNamed(item: ItemContext, name: string): IBinaryData | undefined {
	const file = filesOf(item)
		.map((files) => files[name])
		.find(isBinaryValue);
	if (file) return file;
	try {
		const asserted: unknown = item.context.helpers.assertBinaryData(item.index, name);
		return isBinaryValue(asserted) ? asserted : undefined;
	} catch {
		return undefined;
	}
}

function onlyFile(item: ItemContext): IBinaryData | undefined {
	const files = filesOf(item).flatMap((each) => Object.values(each).filter(isBinaryValue));
	return files.length === 1 ? files[0] : undefined;
}

function filesOf({ input }: ItemContext): Array<Record<string, unknown>> {
	return [input.binary, input.json[FILES_IN_JSON]].filter(
		(files): files is Record<string, unknown> => typeof files === 'object' && files !== null,
	);
}

/** A file name must not lead a service that stores files by their names to another folder. */
function withoutWayUp(name: string): string {
	return name.replace(/(^|[/\\])(\.{1,2}[/\\])+/g, '$1').replace(/^[/\\]+/, '');
}

/** Without a file name, a part of a form is read as text. */
function defaultName({ fileExtension }: IBinaryData): string {
	return fileExtension ? `audio.${fileExtension}` : 'audio';
}

/** The significant characters of base64: a Code node may add line breaks, and padding adds nothing to the length. */
function digitsOf(base64: string): string {
	return base64.replace(/[^\w+/-]/g, '');
}

async function* decode(digits: string): AsyncGenerator<Uint8Array> {
	for (let start = 0; start < digits.length; start += SLICE) {
		yield Buffer.from(digits.slice(start, start + SLICE), 'base64');
	}
}
