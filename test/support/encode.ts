/** Holds the bytes of each character, by the encodings that were asked for: looking them all up takes a while. */
const tables = new Map<string, Map<string, number[]>>();

/** Encodes text as a program would that does not save UTF-8. Node.js can only decode such text, so each character is looked up. */
export function encode(encoding: string, text: string): Buffer {
	const bytesOf = tables.get(encoding) ?? tableOf(encoding);
	tables.set(encoding, bytesOf);
	return Buffer.from(
		[...text].flatMap((character) => {
			const bytes = bytesOf.get(character);
			if (!bytes) throw new Error(`${encoding} has no "${character}"`);
			return bytes;
		}),
	);
}

function tableOf(encoding: string): Map<string, number[]> {
	const decoder = new TextDecoder(encoding, { fatal: true });
	const bytesOf = new Map<string, number[]>();
	const learn = (...bytes: number[]) => {
		try {
			const character = decoder.decode(Buffer.from(bytes));
			if ([...character].length === 1 && !bytesOf.has(character)) bytesOf.set(character, bytes);
		} catch {
			// These bytes are no character.
		}
	};
	for (let first = 0; first < 256; first += 1) learn(first);
	for (let first = 0x81; first < 255; first += 1) {
		for (let second = 0x40; second < 255; second += 1) learn(first, second);
	}
	return bytesOf;
}
