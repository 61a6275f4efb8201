// Reads a CSV file or an Excel workbook. The only item that comes out is the table, a question about the file, or what is wrong.
const SAVE_AS_CSV = 'Open it in your spreadsheet program, and save it as "CSV UTF-8".';
const NONE_READS_RIGHT = 'None of these reads right';
const IS_HEADER = 'Yes, these are the names';
const IS_NO_HEADER = 'No, this is a row like the others';
const DELIMITERS = ['\t', ';', ',', '|'];

/** What a person can correct. */
class Problem extends Error {}
/** What only a person can say. */
class Question {
	constructor(title, text, lines, label, options) {
		Object.assign(this, { title, text, lines, label, options });
	}
}

const isBlank = (cell) => String(cell ?? '').trim() === '';
const quoted = (names) => names.map((name) => `"${name}"`).join(', ');

// ---- The columns ----

//= fields-to-send

/**
 * Returns what is wrong if the file lacks one of these columns.
 * @param where the parameters that name them, in which another name can be entered
 */
function missing(names, needed, where) {
	const lacking = needed.filter((name) => !names.includes(name));
	if (lacking.length === 0) return undefined;
	const has = quoted(names.filter((name) => name !== ''));
	return `The file has no column ${quoted(lacking)}. It has ${has}. Rename a column of the file${where ? `, or change the name in ${where}` : ''}.`;
}

function taken(names, added) {
	const clashing = names.filter((name) => added(name));
	if (clashing.length === 0) return undefined;
	return `The file has a column ${quoted(clashing)}, and an answer would get the same name. Rename the column.`;
}

// ---- Questions that are asked on a page, and their replies ----

const replies = Object.assign(
	{},
	...Array.from({ length: $runIndex }, (_, run) => $('Ask About the File').first(0, run).json),
);

function ask(title, text, lines, label, options) {
	if ($runIndex > 0 && replies[label] === undefined && replies.question?.label === label) {
		throw new Problem('Nobody replied.');
	}
	if (replies[label] === undefined) throw new Question(title, text, lines, label, options);
	return String(replies[label]);
}

// ---- Letters ----

const WESTERN = [
	'éèêëàâçîïôùûüœæ',
	'äöüßé',
	'áéíóúñüªº',
	'ãõâêôáéíóúàçü',
	'àèéìíòóùú',
	'åäöøæé',
	'áðéíóúýþæö',
	'éëïöüóè',
];
const CENTRAL = ['ąćęłńóśźż', 'áčďéěíňóřšťúůýžĺľŕôä', 'áéíóöőúüű', 'ăâîșşțţ', 'čćđšž', 'äöüßé'];
const CYRILLIC = ['а-яёіїєґўђјљњћџѓќѕ'];
const CYRILLIC_VOWELS = /[аеиоуыэюяёіїє]/giu;
const GREEK_VOWELS = /[αεηιουωάέήίόύώ]/giu;
const KANA = /[\u3040-\u30ff]/gu;
const JAPANESE = ['\u3040-\u30ff\u4e00-\u9fff\uff01-\uff9f\u3001-\u301f'];
const CHINESE = ['\u4e00-\u9fff\uff01-\uff5e\u3001-\u301f'];
/** Encodings, with the letters of their languages, and the share that no text of theirs is without. Of two that fit equally, the first is the more likely. */
const ENCODINGS = [
	['windows-1252', 'Western Europe', WESTERN],
	['windows-1250', 'Central Europe', CENTRAL],
	['windows-1251', 'Cyrillic', CYRILLIC, CYRILLIC_VOWELS, 1 / 3],
	['windows-1253', 'Greek', ['ά-ώ'], GREEK_VOWELS, 1 / 3],
	['windows-1254', 'Turkish', ['ğşıİçöüâîû']],
	['windows-1257', 'Baltic', ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äõöüšž']],
	['windows-1255', 'Hebrew', ['א-ת']],
	['windows-1256', 'Arabic', ['ء-يپچژگ']],
	['euc-kr', 'Korean', ['\uac00-\ud7a3']],
	['shift_jis', 'Japanese', JAPANESE, KANA, 1 / 20],
	['euc-jp', 'Japanese', JAPANESE, KANA, 1 / 20],
	['big5', 'Chinese, traditional', CHINESE],
	['gb18030', 'Chinese, simplified', CHINESE],
	['windows-874', 'Thai', ['กขคฆ-๛']],
	['windows-1258', 'Vietnamese', ['ăâđêôơưàáèéìíòóùú\u0300-\u0323']],
	['macintosh', 'Western Europe, old Mac', WESTERN],
	['x-mac-cyrillic', 'Cyrillic, old Mac', CYRILLIC, CYRILLIC_VOWELS, 1 / 3],
	['iso-8859-2', 'Central Europe', CENTRAL],
	['koi8-r', 'Cyrillic', CYRILLIC, CYRILLIC_VOWELS, 1 / 3],
	['ibm866', 'Cyrillic, DOS', CYRILLIC, CYRILLIC_VOWELS, 1 / 3],
].map(([encoding, region, alphabets, needed, share]) => ({
	encoding,
	region,
	needed,
	share,
	alphabets: alphabets.map((letters) => new RegExp(`[${letters}]`, 'giu')),
}));
/** Marks that text has in every language, if they are not between two letters. */
const MARKS =
	/(?<!\p{L})[\u00a0«»„“”‘’–—…€£°§•·©®™½¿¡]|[\u00a0«»„“”‘’–—…€£°§•·©®™½](?!\p{L})|(?<=\p{L})[’´](?=\p{L})/gu;
/** Marks between two letters, small letters before large ones, and words in two scripts: so no text reads. */
const BETWEEN = /(?<=\p{L})[^\p{L}\p{M}\0-\x7f’´\u00a0–—·](?=\p{L})/gu;
const WRONG_CASE = /\p{Ll}\p{Lu}/gu;
const MIXED =
	/[a-z][\u0370-\u0eff]|[\u0370-\u0eff][a-z]|(?<![ก-\u0e4e])[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/giu;
/** The first bytes of common characters, where characters have two bytes. */
const COMMON_PAIRS = {
	shift_jis: [0x81, 0x97],
	'euc-jp': [0xa1, 0xcf],
	big5: [0xa1, 0xc6],
	gb18030: [0xa1, 0xd7],
};

/** How well the text reads, at most 1. */
function legibility(text, bytes, { encoding, alphabets, needed, share }) {
	const count = (pattern) => text.match(pattern)?.length ?? 0;
	const others = count(/[^\0-\x7f]/gu);
	const good = Math.max(...alphabets.map(count)) + count(MARKS);
	const bad = 2 * count(BETWEEN) + 2 * count(WRONG_CASE) + 2 * count(MIXED) + Math.max(0, others - good);
	const pairs = COMMON_PAIRS[encoding];
	const rare = pairs ? rarePairs(bytes, pairs) : 0;
	const lacksLetters = needed !== undefined && count(needed) < others * share;
	return (good - bad - 2 * rare) / Math.max(1, others) - (lacksLetters ? 1 : 0);
}

function rarePairs(bytes, [first, last]) {
	let rare = 0;
	for (let at = 0; at < bytes.length; at += 1) {
		if (bytes[at] < 0x81) continue;
		if (bytes[at] < first || bytes[at] > last) rare += 1;
		at += 1;
	}
	return rare;
}

function tryToDecode(encoding, bytes) {
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

/** Where a byte is that cannot be UTF-8, if almost all of the file is. */
function badByte(bytes) {
	let good = 0;
	const bad = [];
	for (let at = 0; at < bytes.length; at += 1) {
		if (bytes[at] < 0x80) continue;
		const length = bytes[at] >= 0xf0 ? 4 : bytes[at] >= 0xe0 ? 3 : 2;
		if (tryToDecode('utf-8', bytes.subarray(at, at + length)) === undefined) bad.push(at);
		else {
			good += 1;
			at += length - 1;
		}
	}
	return good >= bad.length && (bad.length <= 3 || good > 4 * bad.length) ? bad[0] : undefined;
}

const lineOf = (bytes, at) =>
	bytes
		.subarray(0, at)
		.toString('latin1')
		.split(/\r\n?|\n/).length;

function decode(bytes) {
	const [first, second] = bytes;
	const head = bytes.subarray(0, 2000);
	const zeros = [0, 1].map((odd) => head.filter((byte, at) => byte === 0 && at % 2 === odd).length);
	if ((first === 0xff && second === 0xfe) || (zeros[1] > head.length / 8 && zeros[0] === 0)) {
		return new TextDecoder('utf-16le').decode(bytes);
	}
	if ((first === 0xfe && second === 0xff) || (zeros[0] > head.length / 8 && zeros[1] === 0)) {
		return new TextDecoder('utf-16be').decode(bytes);
	}
	const text = tryToDecode('utf-8', bytes);
	if (text !== undefined) return text;
	if (/[\0-\x08\x0e-\x1f]/.test(bytes.toString('latin1')))
		throw new Problem(`This is not a CSV file. ${SAVE_AS_CSV}`);
	const bad = badByte(bytes);
	if (bad !== undefined) {
		const around = [bytes.subarray(Math.max(0, bad - 12), bad), bytes.subarray(bad + 1, bad + 13)];
		const [before, after] = around.map((part) =>
			part
				.toString()
				.replace(/[\ufffd\r\n]/g, ' ')
				.trim(),
		);
		throw new Problem(
			`Line ${lineOf(bytes, bad)} has a character that cannot be read: "${before}?${after}". ` +
				'All others are UTF-8. Correct it, and save the file again as "CSV UTF-8".',
		);
	}
	return decodeByReply(bytes);
}

/** The first lines of a file that have letters other than English ones. */
function linesWithOthers(text, most) {
	const found = [];
	for (const [line] of text.matchAll(/^.*[^\0-\x7f].*$/gmu)) {
		if (found.push(line) === most) break;
	}
	return found;
}

/** The same place of the file in each of these readings: the place at which most of them differ. */
function tellingSamples(texts) {
	const linesOf = texts.map((text) => linesWithOthers(text, 200));
	const samplesOf = linesOf.map((lines) =>
		lines.map((line) => line.match(/.{0,25}[^\0-\x7f].{0,25}/gu) ?? []),
	);
	let best = [];
	for (const [at, parts] of samplesOf[0].entries()) {
		for (const part of parts.keys()) {
			const samples = samplesOf.map((lines) => lines[at]?.[part] ?? '');
			if (new Set(samples).size > new Set(best).size) best = samples;
		}
	}
	return best;
}

function decodeByReply(bytes) {
	const sample = bytes.subarray(0, 200_000);
	const seen = new Set();
	const candidates = ENCODINGS.flatMap((one) => {
		const text = tryToDecode(one.encoding, bytes);
		if (text === undefined || seen.has(text)) return [];
		seen.add(text);
		return [{ ...one, text, score: legibility(text.slice(0, 100_000), sample, one) }];
	}).sort((one, other) => other.score - one.score);
	if (candidates.length === 0) throw new Problem(`The letters of this file cannot be read. ${SAVE_AS_CSV}`);
	const samples = tellingSamples(candidates.map(({ text }) => text));
	const options = candidates.map(
		({ encoding, region }, index) => `${encoding} (${region}): ${samples[index].trim()}`,
	);
	const reply = ask(
		'Which line reads right?',
		'The file does not say how its letters are stored. It most likely begins like this. Choose the line below that reads right.',
		[...new Set([/^.*/u.exec(candidates[0].text)[0], ...linesWithOthers(candidates[0].text, 5)])].slice(0, 5),
		'Which line reads right?',
		[...options, NONE_READS_RIGHT],
	);
	const chosen = candidates.find(({ encoding }) => reply.startsWith(`${encoding} (`));
	if (!chosen) throw new Problem(`The letters of this file cannot be read. ${SAVE_AS_CSV}`);
	return chosen.text;
}

// ---- CSV ----

/** A quotation mark is text unless it begins a cell and another ends it, as with "Relax Quotes" in n8n's own node. */
function parse(text, delimiter, firstLine) {
	const cellAt = new RegExp(`"([^"]*(?:""[^"]*)*)"(?=[${delimiter}\n]|$)|[^${delimiter}\n]*`, 'y');
	const rows = [];
	let line = firstLine;
	let cells = [];
	for (let position = 0; position <= text.length; position += 1) {
		cellAt.lastIndex = position;
		const [cell, unquoted] = cellAt.exec(text);
		cells.push(unquoted?.replaceAll('""', '"') ?? cell);
		position += cell.length;
		if (text[position] === delimiter) continue;
		rows.push({ line, at: rows.length + 1, cells });
		line += cells.join('').split('\n').length;
		cells = [];
	}
	return rows;
}

/** The delimiter that gives most rows the same number of cells. */
function findDelimiter(text) {
	const regularRows = (delimiter) => {
		const rowsByLength = {};
		for (const { cells } of parse(text.slice(0, 50_000), delimiter, 1)) {
			if (cells.length > 1) rowsByLength[cells.length] = (rowsByLength[cells.length] ?? 0) + 1;
		}
		return Math.max(0, ...Object.values(rowsByLength));
	};
	const counts = DELIMITERS.map(regularRows);
	return DELIMITERS[counts.indexOf(Math.max(...counts))];
}

function readCsv(bytes) {
	const text = decode(bytes)
		.replace(/^\ufeff/, '')
		.replace(/\r\n?/g, '\n');
	if (/[\0-\x08\x0e-\x1f]/.test(text)) throw new Problem(`This is not a CSV file. ${SAVE_AS_CSV}`);
	if (/^\s*<[a-z!?]/i.test(text)) {
		throw new Problem(
			'This is a web page, not a table. Download the file itself, or copy the table into a spreadsheet.',
		);
	}
	const lost = text.search(/\ufffd|ï¿½/);
	if (lost !== -1) {
		const line = text.slice(0, lost).split('\n').length;
		throw new Problem(
			`Line ${line} has characters that were lost when the file was saved. Save it again as "CSV UTF-8".`,
		);
	}
	const [hint, named] = /^"?sep=(.)"?[;,\t ]*(?:\n|$)/i.exec(text) ?? [''];
	const table = text.slice(hint.length);
	const delimiter = named ?? findDelimiter(table);
	return { delimiter, rows: parse(table, delimiter, hint === '' ? 1 : 2) };
}

// ---- The table ----

/** A name that looks like a value: a date, an amount, an address, a text, or what the column holds further down. */
function looksLikeValue(name, index, rows) {
	if (name === '') return false;
	const isNumber = /^[-+]?[\d.,\s]*\d[\d.,\s]*[€$£%]?$/.test(name) && !/^(19|20)\d\d$/.test(name);
	const isDate = /^\d{1,4}([./-])\d{1,2}\1\d{1,4}\b/.test(name);
	const isAddress = /^\S+@\S+\.\S+$|^https?:/.test(name);
	const isText = name.length > 80 && !name.endsWith('?');
	return (
		isNumber ||
		isDate ||
		isAddress ||
		isText ||
		rows.some(({ cells }) => String(cells[index] ?? '').trim() === name)
	);
}

function readTable({ delimiter, rows: all }) {
	const rows = all.filter(({ cells }) => !cells.every(isBlank));
	const header = rows.shift();
	if (!header) throw new Problem('The file is empty.');
	const names = header.cells.map((name) =>
		String(name ?? '')
			.trim()
			.normalize(),
	);
	const repeated = names.find((name, index) => name !== '' && names.indexOf(name) < index);
	if (repeated !== undefined) {
		throw new Problem(`Line ${header.line} has two columns called "${repeated}". Rename one of them.`);
	}
	if (rows.length === 0)
		throw new Problem(`The file has no rows below the column names in line ${header.line}.`);
	for (const { line, cells } of rows) {
		const column = cells.findIndex((cell, index) => !isBlank(cell) && !names[index]);
		if (column === -1) continue;
		const separator = delimiter === '\t' ? 'a tab' : `"${delimiter}"`;
		const quote = delimiter ? `, or put text that contains ${separator} in quotation marks` : '';
		throw new Problem(
			`Line ${line} has a value in column ${column + 1}, but line ${header.line} has no name for that column. ` +
				`If line ${header.line} is a title, delete it. Otherwise name the column${quote}.`,
		);
	}
	if (names.some((name, index) => looksLikeValue(name, index, rows))) {
		const label = 'Are these the names of the columns?';
		const text = `The first line of the table should have the names of the columns. Line ${header.line} looks like a row.`;
		const reply = ask(label, text, [names.join(' | ')], label, [IS_HEADER, IS_NO_HEADER]);
		if (reply !== IS_HEADER) {
			throw new Problem(`Add a line with the names of the columns above line ${header.line}.`);
		}
	}
	const problem = checkColumns(names);
	if (problem !== undefined) throw new Problem(problem);
	return { names, header, rows };
}

// ---- Excel: a zip file of XML files ----

//= unzip

const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const plain = (xml) =>
	xml
		.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hex, number, name) =>
			hex || number ? String.fromCodePoint(parseInt(hex ?? number, hex ? 16 : 10)) : (ENTITIES[name] ?? all),
		)
		.replace(/_x([\dA-F]{4})_/gi, (_, code) => String.fromCharCode(parseInt(code, 16)));
/** The elements of one name, with their attributes and what is in them. A file may put a prefix before all names. */
function* elements(xml, name) {
	const pattern = new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])([^>]*?)(?:/>|>([^]*?)</(?:\\w+:)?${name}>)`, 'g');
	for (const [, attributes, content = ''] of xml.matchAll(pattern)) {
		const of = (key) => {
			const found = new RegExp(`(?:^|\\s)(?:\\w+:)?${key}="([^"]*)"`).exec(attributes);
			return found ? plain(found[1]) : undefined;
		};
		yield { of, content };
	}
}
const textOf = (xml) => {
	const own = xml.replace(/<(?:\w+:)?rPh\b[^]*?<\/(?:\w+:)?rPh>/g, '');
	return [...elements(own, 't')].map(({ content }) => plain(content)).join('');
};

/** The styles of cells that are shown as dates or times. */
function dateStyles(xml) {
	const custom = new Map(
		[...elements(xml, 'numFmt')].map(({ of }) => [of('numFmtId'), of('formatCode') ?? '']),
	);
	const [cellFormats] = elements(xml, 'cellXfs');
	return [...elements(cellFormats?.content ?? '', 'xf')].map(({ of }) => {
		const id = of('numFmtId') ?? '0';
		const code = custom.get(id)?.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/g, '');
		if (code !== undefined) return /[ymdhs]/i.test(code) && !/general/i.test(code);
		return (
			(id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
		);
	});
}

/** A date as text that sorts: 2026-01-31, 2026-01-31 12:30, or 12:30. */
function dateOf(serial, is1904) {
	const days = Math.floor(serial);
	const minutes = Math.round((serial - days) * 86_400) / 60;
	const time = new Date(minutes * 60_000).toISOString().slice(11, Number.isInteger(minutes) ? 16 : 19);
	// Day 60 of Excel is a 29 February 1900 that never was.
	const shift = is1904 ? 24_107 : days < 60 ? 25_568 : 25_569;
	const day = new Date((days - shift) * 86_400_000).toISOString().slice(0, 10);
	if (days === 0) return time;
	return minutes === 0 ? day : `${day} ${time}`;
}

function readWorkbook(bytes) {
	const files = unzip(bytes);
	const read = (name) => textIn(files.get(name));
	const workbook = read('xl/workbook.xml');
	if (workbook === undefined)
		throw new Problem('This Excel file cannot be read. Save it again as .xlsx, or as "CSV UTF-8".');
	const targets = new Map(
		[...elements(read('xl/_rels/workbook.xml.rels') ?? '', 'Relationship')].map(({ of }) => [
			of('Id'),
			of('Target'),
		]),
	);
	const sheets = [...elements(workbook, 'sheet')]
		.filter(
			({ of }) =>
				(of('state') ?? 'visible') === 'visible' && /sheets\/sheet|worksheet/.test(targets.get(of('id'))),
		)
		.map(({ of }) => ({
			name: of('name'),
			path: targets
				.get(of('id'))
				.replace(/^(?!\/)/, 'xl/')
				.replace(/^\//, ''),
		}));
	if (sheets.length === 0) throw new Problem('This Excel file has no sheet that can be seen.');
	let [sheet] = sheets;
	if (sheets.length > 1) {
		const names = sheets.map(({ name }) => name);
		const text = `The file has ${names.length} sheets. Choose the one to work on. The others stay as they are.`;
		const reply = ask('Which sheet?', text, [], 'Which sheet?', names);
		sheet = sheets.find(({ name }) => name === reply);
		if (!sheet) throw new Problem('No sheet was chosen.');
	}
	const shared = [...elements(read('xl/sharedStrings.xml') ?? '', 'si')].map(({ content }) =>
		textOf(content),
	);
	const isDate = dateStyles(read('xl/styles.xml') ?? '');
	const is1904 = /date1904="(1|true)"/.test(workbook);
	const xml = read(sheet.path) ?? '';
	const cellOf = ({ of, content }) => {
		const [{ content: stored } = { content: '' }] = elements(content, 'v');
		const value = plain(stored);
		switch (of('t') ?? 'n') {
			case 's':
				return shared[value] ?? '';
			case 'inlineStr':
				return textOf(content);
			case 'b':
				return value === '' ? '' : value === '1';
			case 'n':
				if (value === '' || !Number.isFinite(Number(value))) return value;
				return isDate[of('s') ?? 0] && Number(value) >= 0 ? dateOf(Number(value), is1904) : Number(value);
			default:
				return value;
		}
	};
	let line = 0;
	const rows = [...elements(xml.slice(xml.search(/<(?:\w+:)?sheetData/)), 'row')].map(({ of, content }) => {
		line = Number(of('r') ?? line + 1);
		const cells = [];
		for (const cell of elements(content, 'c'))
			cells[cell.of('r') ? columnOf(cell.of('r')) : cells.length] = cellOf(cell);
		return { line, at: line, cells: Array.from(cells, (cell) => cell ?? '') };
	});
	return { rows, sheet: sheet.path };
}

// ---- Start ----

const escaped = (text) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
const start = $runIndex === 0 ? $input.first() : $('Read the File').first(0, 0);
const [file] = Object.values(start.binary ?? {});
try {
	if (!file) throw new Problem('No file was chosen.');
	const bytes = await this.helpers.getBinaryDataBuffer(0, file);
	const is = (...signature) => signature.every((byte, at) => bytes[at] === byte);
	if (is(0xd0, 0xcf, 0x11, 0xe0)) {
		throw new Problem(
			'This is an old Excel file, or it has a password. Save it as .xlsx without a password.',
		);
	}
	const source = is(0x50, 0x4b) ? readWorkbook(bytes) : readCsv(bytes);
	return [{ json: { ...readTable(source), sheet: source.sheet ?? null } }];
} catch (error) {
	if (error instanceof Problem) return [{ json: { problem: error.message } }];
	if (!(error instanceof Question)) throw error;
	const { title, text, lines, label, options } = error;
	const html = `<p>${escaped(text)} Nothing has been sent.</p><pre>${lines.map((line) => escaped(line.slice(0, 200))).join('\n')}</pre>`;
	const fields = [
		{ fieldType: 'html', elementName: 'lines', html },
		{
			fieldLabel: label,
			fieldType: 'radio',
			requiredField: true,
			fieldOptions: { values: options.map((option) => ({ option })) },
		},
	];
	return [{ json: { question: { title, label, fields } }, binary: start.binary }];
}
