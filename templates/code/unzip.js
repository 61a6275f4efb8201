// The files of a zip file, by their names, still packed.
function unzip(bytes) {
	const files = new Map();
	const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
	let at = end === -1 ? 0 : bytes.readUInt32LE(end + 16);
	for (let left = end === -1 ? 0 : bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
		const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
			bytes.readUInt16LE(at + offset),
		);
		const local = bytes.readUInt32LE(at + 42);
		const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
		files.set(bytes.toString('utf8', at + 46, at + 46 + nameLength), {
			method: bytes.readUInt16LE(at + 10),
			crc: bytes.readUInt32LE(at + 16),
			size: bytes.readUInt32LE(at + 24),
			packed: bytes.subarray(start, start + bytes.readUInt32LE(at + 20)),
		});
		at += 46 + nameLength + extraLength + commentLength;
	}
	return files;
}

/** The text of a packed file. */
function textIn(file) {
	if (!file) return undefined;
	return (file.method === 0 ? file.packed : inflate(file.packed, file.size)).toString();
}

/** Unpacks a deflate stream (RFC 1951): Code nodes may not load a library for it. */
function inflate(packed, size) {
	const out = Buffer.alloc(size);
	let [at, bit, length] = [0, 0, 0];
	const bits = (count) => {
		let value = 0;
		for (let index = 0; index < count; index += 1, bit += 1)
			value |= ((packed[bit >> 3] >> (bit & 7)) & 1) << index;
		return value;
	};
	const codeOf = (lengths) => {
		const counts = new Uint16Array(16);
		for (const one of lengths) counts[one] += 1;
		counts[0] = 0;
		const starts = new Uint16Array(16);
		for (let one = 1; one < 16; one += 1) starts[one] = starts[one - 1] + counts[one - 1];
		const symbols = new Uint16Array(lengths.length);
		lengths.forEach((one, symbol) => {
			if (one > 0) symbols[starts[one]++] = symbol;
		});
		return { counts, symbols };
	};
	const symbolOf = ({ counts, symbols }) => {
		let [code, first, index] = [0, 0, 0];
		for (let one = 1; one < 16; one += 1, bit += 1) {
			code |= (packed[bit >> 3] >> (bit & 7)) & 1;
			if (code - first < counts[one]) {
				bit += 1;
				return symbols[index + code - first];
			}
			index += counts[one];
			first = (first + counts[one]) << 1;
			code <<= 1;
		}
		throw new Error('The zip file is damaged');
	};
	const steps = (groups, from) => {
		const bases = [];
		for (const [count, extra] of groups) {
			for (let index = 0; index < count; index += 1, from += 1 << extra) bases.push([from, extra]);
		}
		return bases;
	};
	const LENGTHS = [
		...steps(
			[
				[8, 0],
				[4, 1],
				[4, 2],
				[4, 3],
				[4, 4],
				[4, 5],
			],
			3,
		),
		[258, 0],
	];
	const DISTANCES = steps([[4, 0], ...Array.from({ length: 13 }, (_, extra) => [2, extra + 1])], 1);
	const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
	const fixed = [
		codeOf(Array.from({ length: 288 }, (_, one) => (one < 144 ? 8 : one < 256 ? 9 : one < 280 ? 7 : 8))),
		codeOf(Array(30).fill(5)),
	];
	const readCodes = () => {
		const [literals, distances, order] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
		const lengths = Array(19).fill(0);
		for (let index = 0; index < order; index += 1) lengths[ORDER[index]] = bits(3);
		const code = codeOf(lengths);
		const all = [];
		while (all.length < literals + distances) {
			const symbol = symbolOf(code);
			if (symbol < 16) all.push(symbol);
			else if (symbol === 16) all.push(...Array(3 + bits(2)).fill(all.at(-1)));
			else all.push(...Array(symbol === 17 ? 3 + bits(3) : 11 + bits(7)).fill(0));
		}
		return [codeOf(all.slice(0, literals)), codeOf(all.slice(literals))];
	};
	for (let isLast = 0; isLast === 0;) {
		isLast = bits(1);
		const kind = bits(2);
		if (kind === 0) {
			const start = ((bit + 7) >> 3) + 4;
			length = packed.readUInt16LE(start - 4);
			packed.copy(out, at, start, start + length);
			at += length;
			bit = (start + length) * 8;
			continue;
		}
		const [literal, distance] = kind === 1 ? fixed : readCodes();
		for (let symbol = symbolOf(literal); symbol !== 256; symbol = symbolOf(literal)) {
			if (symbol < 256) {
				out[at++] = symbol;
				continue;
			}
			const [base, extra] = LENGTHS[symbol - 257];
			length = base + bits(extra);
			const [far, more] = DISTANCES[symbolOf(distance)];
			const back = far + bits(more);
			for (; length > 0; length -= 1, at += 1) out[at] = out[at - back];
		}
	}
	return out;
}

/** The index of the column in a cell's reference, such as AB7. */
const columnOf = (reference) =>
	[...reference.replace(/\d+$/, '')].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) -
	1;
