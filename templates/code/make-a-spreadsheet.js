// Puts the new columns to the right of the others. Everything else in the file stays as it was: a workbook keeps its sheets,
// formats and formulas, and a CSV file becomes a workbook of one sheet.
const MAX_CHARACTERS = 32_767; // more does not fit into a cell of Excel
const MAX_NAMES = 20; // more are not read on the last page
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

let cut = 0;

// ---- The new columns ----

/** One column for each value: lists become text, and objects a column for each of their fields. */
function flat(json, prefix = '') {
	return Object.entries(json).flatMap(([name, value]) => {
		if (Array.isArray(value)) return [[prefix + name, value.join(', ')]];
		return value && typeof value === 'object' ? flat(value, `${prefix}${name}.`) : [[prefix + name, value]];
	});
}
const added = $input.all().map(({ json }) => new Map(flat(json)));
const newNames = [...new Set(added.flatMap((row) => [...row.keys()]))];

/** The table that was uploaded, or the example rows. */
function table() {
	if ($('Read the File').isExecuted) return $('Read the File').first().json;
	const rows = $('Rows')
		.all()
		.map(({ json }) => json);
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const cellsOf = (row) => names.map((name) => row[name]);
	return {
		names,
		header: { at: 1, cells: names },
		rows: rows.map((row, index) => ({ at: index + 2, cells: cellsOf(row) })),
	};
}
const { names, header, rows, sheet } = table();
const titles = newNames.map((name) => (names.includes(name) ? `${name} (new)` : name));
const newCells = new Map([
	[header.at, titles],
	...added.map((row, index) => [rows[index].at, newNames.map((name) => row.get(name))]),
]);

// ---- XML ----

const columnAt = (index) =>
	(index < 26 ? '' : columnAt(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));
const escape = (text) =>
	text
		.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
		.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

function cellXml(value, at, column, prefix = '') {
	if (value === undefined || value === null || value === '') return '';
	const reference = `r="${columnAt(column)}${at}"`;
	if (typeof value === 'number')
		return `<${prefix}c ${reference}><${prefix}v>${value}</${prefix}v></${prefix}c>`;
	if (typeof value === 'boolean')
		return `<${prefix}c ${reference} t="b"><${prefix}v>${Number(value)}</${prefix}v></${prefix}c>`;
	if (value.length > MAX_CHARACTERS) cut += 1;
	const text = escape(value.slice(0, MAX_CHARACTERS));
	return `<${prefix}c ${reference} t="inlineStr"><${prefix}is><${prefix}t xml:space="preserve">${text}</${prefix}t></${prefix}is></${prefix}c>`;
}
const cellsXml = (values, at, first, prefix) =>
	values.map((value, index) => cellXml(value, at, first + index, prefix)).join('');

/** The XML of a sheet with the new cells in its rows. */
function withNewCells(xml) {
	const [, prefix = ''] = /<(\w+:)?sheetData/.exec(xml);
	const isCell = new RegExp(`<${prefix}c(?=[\\s/>])([^>]*?)(?:/>|>([^]*?)</${prefix}c>)`, 'g');
	const referenceOf = (attributes) => /(?:^|\s)r="([^"]*)"/.exec(attributes)?.[1];
	let last = names.length - 1;
	for (const [, attributes, content] of xml.matchAll(isCell)) {
		if (content && referenceOf(attributes)) last = Math.max(last, columnOf(referenceOf(attributes)));
	}
	for (const [, end] of xml.matchAll(/<(?:\w+:)?mergeCell ref="\w+:(\w+)"/g))
		last = Math.max(last, columnOf(end));
	const isRow = new RegExp(`<${prefix}row(?=[\\s/>])([^>]*?)(?:/>|>([^]*?)</${prefix}row>)`, 'g');
	let line = 0;
	return xml.replace(/<(?:\w+:)?dimension\b[^>]*?\/>/, '').replace(isRow, (all, attributes, content = '') => {
		line = Number(referenceOf(attributes) ?? line + 1);
		const values = newCells.get(line);
		if (!values) return all;
		// Cells that have a format, but nothing in them, would stand in the way.
		const kept = content.replace(isCell, (cell, of) =>
			columnOf(referenceOf(of) ?? 'A1') > last ? '' : cell,
		);
		const cells = kept + cellsXml(values, line, last + 1, prefix);
		return `<${prefix}row${attributes.replace(/\sspans="[^"]*"/, '')}>${cells}</${prefix}row>`;
	});
}

function newWorkbook() {
	const allRows = [header, ...rows].map(({ at, cells }) => {
		const values = names.map((_, index) => cells[index]);
		return `<row r="${at}">${cellsXml([...values, ...(newCells.get(at) ?? [])], at, 0)}</row>`;
	});
	const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
	const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
	const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
	const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
	const part = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
	const relation = (kind, target) =>
		`${head}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/${kind}" Target="${target}"/></Relationships>`;
	return {
		'[Content_Types].xml':
			`${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
			'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
			`<Override PartName="/xl/workbook.xml" ContentType="${part}.sheet.main+xml"/>` +
			`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${part}.worksheet+xml"/></Types>`,
		'_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
		'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Answers" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
		'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${main}"><sheetData>${allRows.join('')}</sheetData></worksheet>`,
	};
}

// ---- The zip file ----

//= unzip

const CRC_TABLE = Array.from({ length: 256 }, (_, byte) => {
	let value = byte;
	for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
	return value;
});
function stored(text) {
	const packed = Buffer.from(text);
	let crc = 0xffffffff;
	for (const byte of packed) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ byte) & 0xff];
	return { method: 0, crc: (crc ^ 0xffffffff) >>> 0, size: packed.length, packed };
}

function zip([...files]) {
	const parts = [];
	const directory = [];
	let offset = 0;
	for (const [name, { method, crc, size, packed }] of files) {
		const bytes = Buffer.from(name);
		// Version, flag for names in UTF-8, method, time, date, checksum, sizes, lengths of the name and of extra data.
		const fields = Buffer.alloc(26);
		[20, 0x800, method, 0, 0x21].forEach((value, index) => fields.writeUInt16LE(value, index * 2));
		[crc, packed.length, size].forEach((value, index) => fields.writeUInt32LE(value, 10 + index * 4));
		fields.writeUInt16LE(bytes.length, 22);
		const rest = Buffer.alloc(14);
		rest.writeUInt32LE(offset, 10);
		const local = [Buffer.from('PK\x03\x04', 'latin1'), fields, bytes, packed];
		directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), fields, rest, bytes);
		parts.push(...local);
		offset += local.reduce((sum, { length }) => sum + length, 0);
	}
	const end = Buffer.alloc(18);
	const size = directory.reduce((sum, { length }) => sum + length, 0);
	[4, 6].forEach((at) => end.writeUInt16LE(files.length, at));
	end.writeUInt32LE(size, 8);
	end.writeUInt32LE(offset, 12);
	return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

// ---- What the model saw ----

//= fields-to-send
/** These fields number the rows. They are sent only if a person names them. */
const NUMBERING = ['row_number', 'row_id'];

/** Says in a sentence which columns a node has sent, as HTML. */
function describeSeen(node) {
	if (($(node).params.stateSource ?? 'item') !== 'item')
		return `The model saw what "${node}" says, not whole columns.`;
	const chosen = fieldsToSend(node);
	if (!chosen) return `The model saw the columns that "Fields to Send" of "${node}" names.`;
	const sent = $('Rows').all();
	const own = [...new Set(sent.flatMap(({ json }) => Object.keys(json)))];
	const isEach = chosen.length === 0;
	const columns = own.filter((name) =>
		isEach ? !NUMBERING.includes(name) : chosen.includes(fieldName(name)),
	);
	const shown = columns.slice(0, MAX_NAMES).map((name) => `"${name}"`);
	const more = columns.length > MAX_NAMES ? ` and ${columns.length - MAX_NAMES} more` : '';
	const left = own.filter((name) => NUMBERING.includes(name)).map((name) => `"${name}"`);
	const each = `every column${left.length > 0 ? ` but ${escape(left.join(' and '))}` : ''}`;
	return `The model saw ${isEach ? each : 'only'}: ${escape(shown.join(', '))}${more}.`;
}

// ---- Start ----

let files;
if (sheet) {
	const [file] = Object.values($('Upload a Sheet').first().binary);
	files = unzip(await this.helpers.getBinaryDataBuffer(0, file));
	files.set(sheet, stored(withNewCells(textIn(files.get(sheet)))));
} else {
	files = new Map(Object.entries(newWorkbook()).map(([name, text]) => [name, stored(text)]));
}
const data = await this.helpers.prepareBinaryData(zip([...files]), FILE_NAME, EXCEL);
const problems = added.filter((row) =>
	[...row].some(([name, value]) => name.endsWith('_problem') && value !== ''),
).length;
const [seen] = SEEN_BY.map(describeSeen);
return [{ json: { rows: rows.length, answered: added.length, problems, cut, seen }, binary: { data } }];
