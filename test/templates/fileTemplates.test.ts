import { Workbook } from 'exceljs';
import type { IDataObject } from 'n8n-workflow';

import { encode } from '../support/encode';
import { dataTable, form } from '../support/standIns';
import { readTemplate, runTemplate, valueOf, type Template } from '../support/template';
import { useEmulator } from '../support/useEmulator';

// Some of these workflows answer hundreds of rows, and a test that is given up sends on into the next one.
jest.setTimeout(60_000);

const EXAMPLE_ROWS = 36;

const emulator = useEmulator({ models: ['vendor/model_name'] });

/** Makes the service answer every decision with this team. */
function teamIs(choice: string, confidence = 0.9) {
	emulator.clearFaults();
	const body = { model: 'Kev-4B', answers: { team: { type: 'choice', choice, confidence } }, usage: {} };
	emulator.answer(body, { path: '/systemone', times: Infinity });
}

/** These templates take a file. With each are the form that takes it, the column it needs, and what is made of the rows. */
const TAKING_FILES: Array<[file: string, column: string, field: string, made: string, json?: IDataObject]> = [
	['answers-in-a-spreadsheet.json', 'message', 'Sheet', 'Put Into Columns'],
	['test-questions-on-labelled-rows.json', 'message', 'Labelled_Rows', 'Evaluate Answers'],
	['draft-replies-to-a-sheet.json', 'question', 'Sheet', 'Put Into Columns'],
	['is-the-new-wording-better.json', 'message', 'File', 'Evaluate Answers', { Messages: 'My file' }],
];

/** These of their nodes ask the service, and later nodes need their columns. */
const ASKING: Record<string, string[]> = {
	'answers-in-a-spreadsheet.json': ['Answer Questions'],
	'test-questions-on-labelled-rows.json': ['Answer Questions'],
	'draft-replies-to-a-sheet.json': ['Draft Reply'],
	'is-the-new-wording-better.json': ['Old Wording', 'New Wording'],
};

interface Upload {
	field: string;
	csv?: Buffer | string;
	json?: IDataObject | undefined;
	/** Holds the choice on the page that asks before the rest is sent. */
	reply?: string;
	/** Holds the choices on the pages that ask about the file, by their labels. */
	replies?: IDataObject;
	rows?: IDataObject[];
	template?: Template;
}

async function upload(
	file: string,
	{ field, csv, json, reply, replies = {}, rows, template = readTemplate(file) }: Upload,
) {
	const data = csv === undefined ? undefined : Buffer.from(csv).toString('base64');
	return await runTemplate(template, emulator, {
		json: { submittedAt: new Date().toISOString(), ...json },
		binary:
			data === undefined ? undefined : { [field]: { data, mimeType: 'text/csv', fileName: 'Rows.CSV' } },
		others: {
			dataTable: dataTable(rows),
			form: form({
				'Ask About the File': Object.entries(replies).map(([label, choice]) => ({ [label]: choice })),
				'Ask Before the Rest': reply === undefined ? [] : [{ 'What next?': reply }],
			}),
		},
	});
}

type Run = Awaited<ReturnType<typeof upload>>;

/** Reads the file that comes back, as a workbook. */
async function workbookOf(run: Run): Promise<Workbook> {
	const [[{ binary } = {}] = []] = run.outputsOf('Make a Spreadsheet');
	return await new Workbook().xlsx.load(Buffer.from(binary!.data!.data, 'base64') as never);
}

/** Returns the values in a sheet of the file that comes back, row by row, with null for an empty cell. */
async function sheetOf(run: Run, index = 0): Promise<unknown[][]> {
	const sheet = (await workbookOf(run)).worksheets[index]!;
	const columns = Array.from({ length: sheet.columnCount }, (_, column) => column + 1);
	const rows = Array.from({ length: sheet.rowCount }, (_, row) => sheet.getRow(row + 1));
	return rows.map((row) => columns.map((column) => row.getCell(column).value));
}

/** Returns the question that a page asks about the file. */
const questionOf = (run: Run) =>
	run.rowsOf('Ask About the File')[0]!.question as {
		title: string;
		fields: [{ html: string }, { fieldOptions: { values: Array<{ option: string }> } }];
	};
const WHICH_LINE = 'Which line reads right?';

describe.each(TAKING_FILES)('%s', (file, column, field, made, json) => {
	const csvOf = (count: number) =>
		[
			`${column},said,expected_team`,
			...Array.from({ length: count }, (_, index) => `My card ${index} is lost,Cards,Cards`),
		].join('\n');
	/** Returns the number of rows that have been sent. */
	const sent = () => {
		const bodies = emulator.requests.map(({ body }) => JSON.stringify(body));
		return new Set(bodies.map((body) => /My card \d+/.exec(body)![0])).size;
	};

	test('answers up to 20 rows without asking whether to continue', async () => {
		const { path, error } = await upload(file, { field, json, csv: csvOf(20) });
		expect(error).toBeUndefined();
		expect(path).toContain(made);
		expect(path).not.toContain('Ask Before the Rest');
		expect(sent()).toBe(20);
	});

	test.each([
		['all of them, in batches of 50', 'Answer all rows', 71, 3],
		['no further one', 'Stop after these', 20, 1],
		['no further one, when nobody replies', undefined, 20, 1],
	])('answers 20 of 71 rows, asks, and then sends %s', async (_, reply, rows, passes) => {
		const run = await upload(file, { field, json, csv: csvOf(71), ...(reply !== undefined && { reply }) });
		expect(sent()).toBe(rows);
		const [{ answered, left, tokens } = {}] = run.rowsOf('What It Takes');
		expect({ answered, left }).toEqual({ answered: 20, left: 51 });
		expect(tokens).toBeGreaterThan(100);
		expect(run.runsOf('What Next?')).toBe(passes);
		if (reply === undefined) expect(run.path).not.toContain(made);
		else if (made === 'Evaluate Answers') expect(run.rowsOf(made)).toMatchObject([{ rows }]);
		else {
			expect(run.rowsOf(made)).toHaveLength(rows);
			const sheet = await sheetOf(run);
			expect(sheet).toHaveLength(1 + 71);
			expect(sheet.at(-1)![0]).toBe('My card 70 is lost');
		}
	});

	test('counts the seconds from the reply about the file, not from when the form was sent', async () => {
		const accented = Buffer.from(csvOf(30).replaceAll('My card', 'Café'), 'latin1');
		const reading = await upload(file, { field, json, csv: accented });
		const [, { fieldOptions }] = questionOf(reading).fields;
		const run = await upload(file, {
			field,
			json: { ...json, submittedAt: '2026-01-01T08:00:00.000Z' },
			csv: accented,
			replies: { [WHICH_LINE]: fieldOptions.values[0]!.option },
			reply: 'Stop after these',
		});
		const [{ seconds } = {}] = run.rowsOf('What It Takes');
		expect(seconds).toBeLessThan(24 * 60 * 60);
	});

	test('stops after the first 20 rows, and says why, if none of them could be answered', async () => {
		emulator.fault({ status: 401, body: 'Wrong key', times: Infinity });
		const { path, error } = await upload(file, { field, json, csv: csvOf(30) });
		expect(path.slice(-2)).toEqual(['Say That Nothing Was Answered', 'Stop: Nothing Was Answered']);
		expect(error).toBe('No row could be answered: Wrong key');
		expect(sent()).toBe(20);
	});

	/** Uploads a file that is stopped before anything is sent. Returns the reason on the page. */
	async function refusalOf(csv: Buffer | string) {
		const { path, rowsOf } = await upload(file, { field, json, csv });
		expect(path.at(-1)).toBe('Say Which Files Work');
		expect(emulator.requests).toEqual([]);
		const page = readTemplate(file).nodes.find(({ name }) => name === 'Say Which Files Work')!;
		expect(page.parameters.completionMessage).toContain('$json.problem');
		return String(rowsOf('Say Which Files Work')[0]!.problem);
	}

	test.each(separated(column, ['id', 'said']))(
		'stops a file with a title above its column names, separated by %j, and names the line',
		async (separator, header) => {
			const row = ['My card is lost', '7', 'Cards'].join(separator);
			for (const title of [
				'Messages',
				`Messages, March`,
				`Messages${separator}${separator}`,
				'"Messages"\n',
			]) {
				const reason = await refusalOf([title, header, row].join('\n'));
				expect(reason).toMatch(
					/^Line [23] has a value in column [23], but line 1 has no name for that column/,
				);
				expect(reason).toContain('If line 1 is a title, delete it.');
			}
		},
	);

	test.each(separated(column, ['id', 'said']))(
		'stops a file with a row that is longer than its column names, separated by %j, and names the line',
		async (separator, header) => {
			const row = ['My card is lost', '7', 'Cards'].join(separator);
			const long = `${row}${separator}more`;
			expect(await refusalOf([header, row, '', long].join('\r\n'))).toMatch(
				/^Line 4 has a value in column 4/,
			);
			const multiline = `"My\ncard\nis lost"${separator}8`;
			expect(await refusalOf([header, multiline, long].join('\n'))).toMatch(
				/^Line 5 has a value in column 4/,
			);
		},
	);

	test.each(separated(column, ['id', 'id']))(
		'stops a file with two columns of one name, separated by %j, and says which',
		async (separator, header) => {
			const repeated = [header, ['My card is lost', '1', '2'].join(separator)].join('\n');
			expect(await refusalOf(repeated)).toContain('Line 1 has two columns called "id"');
			expect(await refusalOf(`sep=${separator}\n${repeated}`)).toContain(
				'Line 2 has two columns called "id"',
			);
		},
	);

	test.each(ASKING[file]!)(
		'with Simplify off in %s, nothing is sent, and the error says so',
		async (name) => {
			const template = structuredClone(readTemplate(file));
			template.nodes.find((node) => node.name === name)!.parameters.simplify = false;
			const { error, path } = await upload(file, { field, json, csv: csvOf(3), template });
			expect(error).toBe(`Turn on "Simplify" in "${name}": later nodes need its columns.`);
			expect(path).not.toContain(name);
			expect(emulator.requests).toEqual([]);
		},
	);

	test.each<[name: string, csv: string, reason: string]>([
		['without any content', '', 'The file is empty'],
		['with blank lines only', '\n \r\n,,\n', 'The file is empty'],
		['with a hint for Excel only', 'sep=;\n', 'The file is empty'],
		['with column names only', `${column},said\n`, 'The file has no rows'],
		['with column names and blank rows only', `${column};said\n\n;\n ; \n`, 'The file has no rows'],
		['that is a web page', '<!DOCTYPE html>\n<html><p>Sign in, please</p>', 'This is a web page'],
		['that is a web page without a type', '\n<html lang="en">', 'This is a web page'],
		['that is XHTML', '\ufeff<?xml version="1.0"?>\n<html>', 'This is a web page'],
		['that is no whole Excel file', 'PK\x03\x04', 'This Excel file cannot be read'],
		['that is a picture', '\x89PNG\r\n\x1a\n\0\0', 'This is not a CSV file'],
		[
			'with a lost character',
			`${column}\nMy card is lost\nM\ufffdller`,
			'Line 3 has characters that were lost',
		],
	])('stops a file %s', async (_, csv, reason) => {
		expect(await refusalOf(csv)).toContain(reason);
	});
});

/** Returns a header line for each separator of columns. */
function separated(column: string, others: string[]): Array<[separator: string, header: string]> {
	return [',', ';', '\t', '|'].map((separator) => [separator, [column, ...others].join(separator)]);
}

describe('Answers in a spreadsheet:', () => {
	const send = async (csv?: Buffer | string, replies?: IDataObject) =>
		await upload('answers-in-a-spreadsheet.json', {
			field: 'Sheet',
			...(csv !== undefined && { csv }),
			...(replies && { replies }),
		});
	const ADDED = [
		'answer_team',
		'answer_team_confidence',
		'answer_urgent',
		'answer_urgent_yes',
		'answer_problem',
	];
	/** Returns the person's own columns in the sheet that comes back. */
	const ownOf = async (run: Run) => (await sheetOf(run)).map((row) => row.slice(0, -ADDED.length));
	const states = () => emulator.requests.map(({ body }) => (body as IDataObject).state);
	const ann = { Customer: 'Ann', Message: 'Straße, after a day; 5 €!', Amount: '1,20' };
	const lines = (separator: string) =>
		[Object.keys(ann), Object.values(ann)]
			.map((cells) => cells.map((cell) => `"${cell}"`).join(separator))
			.join('\r\n');

	test.each([
		['commas', lines(',')],
		['semicolons, and a byte order mark', `\ufeff${lines(';')}`],
		['tabs', lines('\t')],
		['vertical bars', lines('|')],
		['UTF-16, as Excel saves "Unicode Text"', Buffer.from(`\ufeff${lines('\t')}`, 'utf16le')],
		['UTF-16 without a mark', Buffer.from(lines('\t'), 'utf16le')],
		['UTF-16 in the other order', Buffer.from(`\ufeff${lines('\t')}`, 'utf16le').swap16()],
		['commas that its first line names', `sep=,\r\n${lines(',')}`],
		['semicolons that its first line names', `\ufeffsep=;\n${lines(';')}`],
		['tabs that its quoted first line names', `"sep=\t"\n${lines('\t')}`],
		['blank rows and empty columns at its end', `${lines(';').replaceAll('\r\n', ';;\n')};;\n\n;;;;\n`],
	])('reads a CSV file with %s', async (_, csv) => {
		const run = await send(csv);
		expect(states()).toEqual([ann]);
		const [names, row] = await sheetOf(run);
		expect(names!.filter((name) => name !== null)).toEqual([...Object.keys(ann), ...ADDED]);
		expect(row!.slice(0, 3)).toEqual(Object.values(ann));
	});

	test('reads names with commas', async () => {
		const run = await send('"Name, first, last";Amount\nAnn;1,20');
		expect(await ownOf(run)).toEqual([
			['Name, first, last', 'Amount'],
			['Ann', '1,20'],
		]);
	});

	test.each([',', ';', '\t', '|'])(
		'keeps quotation marks within a cell, separated by %j',
		async (separator) => {
			const cells = ['He said "hi" to me', '"Hi" he said', 'A 5" screen', '"', 'say ""', '"a', 'b"'];
			for (const text of cells) {
				const csv = ['id', 'text', 'note'].join(separator) + `\n1${separator}${text}${separator}x\n`;
				expect((await ownOf(await send(csv)))[1]).toEqual(['1', text, 'x']);
			}
		},
	);

	test('the example rows are not sent either with Simplify off', async () => {
		const template = structuredClone(readTemplate('answers-in-a-spreadsheet.json'));
		template.nodes.find(({ name }) => name === 'Answer Questions')!.parameters.simplify = false;
		expect((await runTemplate(template, emulator)).error).toContain('Turn on "Simplify"');
		expect(emulator.requests).toEqual([]);
	});

	test('every example row comes back with its answers, and a failed one with the reason', async () => {
		emulator.fault({ path: '/systemone', bodyIncludes: 'forgot my password', status: 400, body: 'too long' });
		const [names, ...rows] = await sheetOf(await send());
		expect(names).toEqual(['message', ...ADDED]);
		expect(rows).toHaveLength(8);
		expect(rows[0]).toEqual([
			'I was charged twice for the same order.',
			expect.any(String),
			expect.any(Number),
			expect.any(Number),
			expect.any(Boolean),
			null,
		]);
		expect(rows[2]).toEqual([
			'I forgot my password and cannot sign in.',
			...[null, null, null, null],
			expect.stringContaining('too long'),
		]);
	});

	test.each<[name: string, csv: string, parameters: IDataObject, said: string]>([
		['all columns', 'message,amount\nHello,7\n', {}, 'The model saw every column: "message", "amount".'],
		['one column', 'message,amount\nHello,7\n', { stateFields: 'amount' }, 'The model saw only: "amount".'],
		[
			'all columns but those that number the rows',
			'message,row_id,row_number\nHello,7,1\n',
			{},
			'The model saw every column but "row_id" and "row_number": "message".',
		],
		[
			'a number of the row that a person chose',
			'message,row_id\nHello,7\n',
			{ stateFields: 'message, row_id' },
			'The model saw only: "message", "row_id".',
		],
		[
			'a dragged column',
			'message,the & sum\nHello,7\n',
			{ stateFields: "['the & sum']" },
			'The model saw only: &#34;the &#38; sum&#34;.',
		],
		[
			'a text',
			'message,amount\nHello,7\n',
			{ stateSource: 'text', stateText: '={{ $json.message }}' },
			'The model saw what "Answer Questions" says, not whole columns.',
		],
		[
			'columns that an expression names',
			'message,amount\nHello,7\n',
			{ stateFields: "={{ ['message'] }}" },
			'The model saw the columns that "Fields to Send" of "Answer Questions" names.',
		],
		[
			'many columns',
			`${Array.from({ length: 25 }, (_, index) => `c${index}`).join(',')}\n${'x,'.repeat(24)}x\n`,
			{},
			'"c19" and 5 more.',
		],
	])('the last page says what the model saw: %s', async (_, csv, parameters, said) => {
		const file = 'answers-in-a-spreadsheet.json';
		const template = structuredClone(readTemplate(file));
		Object.assign(template.nodes.find(({ name }) => name === 'Answer Questions')!.parameters, parameters);
		const run = await upload(file, { field: 'Sheet', csv, template });
		const [made] = run.rowsOf('Make a Spreadsheet');
		const page = String(await valueOf(template, 'Return the File', 'completionMessage', made!));
		expect(page.replaceAll('&#34;', '"')).toContain(said.replaceAll('&#34;', '"'));
	});

	test('columns that number the rows are not sent, as the last page says', async () => {
		await send('message,row_id,row_number\nHello,7,1\n');
		expect(states()).toEqual([{ message: 'Hello' }]);
	});

	test('the first question has an option for what fits no other', () => {
		const template = readTemplate('answers-in-a-spreadsheet.json');
		const { questions } = template.nodes.find(({ name }) => name === 'Answer Questions')!.parameters;
		expect(JSON.stringify(questions)).toContain('"Other"');
	});

	test("a person's columns keep their values, their order and their place, empty ones too", async () => {
		const csv = [
			'2024;team;problem;;empty;summary;2023',
			'a;Cards;late;;;;1',
			';Billing;;;;x;',
			'',
			'c;;;;;;3',
		].join('\n');
		const run = await send(csv);
		expect(await ownOf(run)).toEqual([
			['2024', 'team', 'problem', null, 'empty', 'summary', '2023'],
			['a', 'Cards', 'late', null, null, null, '1'],
			[null, 'Billing', null, null, null, 'x', null],
			[null, null, null, null, null, null, null],
			['c', null, null, null, null, null, '3'],
		]);
		expect(states()).toHaveLength(3);
	});

	test.each(['answer_team', 'answer_problem', 'answer_urgent_yes'])(
		'a file with a column "%s", which an answer would get, is stopped before anything is sent',
		async (name) => {
			const { path, rowsOf } = await send(`message,${name}\nHello,x\n`);
			expect(path.at(-1)).toBe('Say Which Files Work');
			expect(rowsOf('Say Which Files Work')[0]!.problem).toContain(`a column "${name}"`);
			expect(emulator.requests).toEqual([]);
		},
	);

	test('a renamed question names the new columns', async () => {
		const template = readTemplate('answers-in-a-spreadsheet.json');
		const { parameters } = template.nodes.find(({ name }) => name === 'Answer Questions')!;
		const { question } = parameters.questions as { question: [IDataObject] };
		question[0].id = 'department';
		const csv = 'message,answer_team\nMy card is lost,x\n';
		const run = await upload('answers-in-a-spreadsheet.json', { field: 'Sheet', csv, template });
		expect((await sheetOf(run))[0]).toEqual([
			...['message', 'answer_team', 'answer_department', 'answer_department_confidence'],
			...ADDED.slice(2),
		]);
	});

	test('a cell that is too long for Excel is cut, and the page says how many', async () => {
		const run = await send(`message\n${'x'.repeat(40_000)}`);
		expect((await sheetOf(run))[1]![0]).toHaveLength(32_767);
		const [made] = run.rowsOf('Make a Spreadsheet');
		expect(made).toMatchObject({ rows: 1, answered: 1, problems: 0, cut: 1 });
		const template = readTemplate('answers-in-a-spreadsheet.json');
		expect(await valueOf(template, 'Return the File', 'completionMessage', made!)).toMatch(
			/^Rows answered: 1 of 1\. 1 cell was too long for Excel, and was cut\. /,
		);
	});

	test.each([
		['a number', 'Ann,1.5,Hello\nBob,2.5,Hi', 'Ann | 1.5 | Hello'],
		['a date', 'Ann;31.01.2026\nBob;1.2.2026', 'Ann | 31.01.2026'],
		['an address', 'ann@example.com,Hello\nbob@example.com,Hi', 'ann@example.com | Hello'],
		['what the column holds', 'Where is my card?,Cards\nIt is lost,Cards', 'Where is my card? | Cards'],
	])('asks if the first line has %s, as a row has', async (_, csv, shown) => {
		const asked = await send(csv);
		expect(questionOf(asked).title).toBe('Are these the names of the columns?');
		expect(questionOf(asked).fields[0].html).toContain(shown);
		expect(asked.path.at(-1)).toBe('Say Which Files Work');
		const refused = await send(csv, { [questionOf(asked).title]: 'No, this is a row like the others' });
		expect(refused.rowsOf('Say Which Files Work')[0]!.problem).toContain('above line 1');
		expect(emulator.requests).toEqual([]);
		const answered = await send(csv, { [questionOf(asked).title]: 'Yes, these are the names' });
		expect((await sheetOf(answered))[0]!.slice(0, 2)).toEqual(shown.split(' | ').slice(0, 2));
	});

	test.each(['2024,2025\n1,2\n', 'What is your message?,Name\nHello,Ann\n', 'message\nHello\n'])(
		'does not ask about ordinary names: %j',
		async (csv) => {
			expect((await send(csv)).path).not.toContain('Ask About the File');
		},
	);

	describe('for a file whose encoding is not known,', () => {
		test.each([
			['windows-1252', 'Ma commande est arrivée très abîmée, où est le reçu ?'],
			['windows-1252', 'Die Lieferung für Müller kam beschädigt an, Größe falsch'],
			['windows-1252', 'Não recebi as informações da minha reserva, é urgente'],
			['windows-1252', '¿Dónde está mi pedido? Mañana me voy, señor'],
			['windows-1250', 'Wpłaty za styczeń nie doszły, proszę o wyjaśnienie'],
			['windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy'],
			['windows-1250', 'A fűtés nem működik, kérem hívjanak vissza, köszönöm'],
			['windows-1251', 'Верните деньги за заказ, пожалуйста'],
			['windows-1253', 'Η παραγγελία μου δεν έφτασε ακόμα'],
			['windows-1254', 'Siparişim hâlâ gelmedi, lütfen şikayetimi dinleyin, ışık'],
			['windows-1257', 'Mano užsakymas neatėjo, kodėl taip ilgai trunka, ačiū'],
			['windows-1255', 'ההזמנה שלי לא הגיעה'],
			['windows-1256', 'لم يصل طلبي حتى الآن'],
			['windows-874', 'สินค้าของฉันยังไม่มา'],
			['shift_jis', '商品が届きません。返金をお願いします。'],
			['euc-jp', '商品が届きません。返金をお願いします。'],
			['euc-kr', '주문한 상품이 아직 도착하지 않았습니다. 환불해 주세요.'],
			['gb18030', '我的订单还没有到，请尽快退款。谢谢。'],
			['big5', '我的訂單還沒有到，請儘快退款。謝謝。'],
			['macintosh', 'Ma commande est arrivée très abîmée, où est le reçu ?'],
			['x-mac-cyrillic', 'Верните деньги за заказ, пожалуйста'],
			['koi8-r', 'Верните деньги за заказ, пожалуйста'],
			['iso-8859-2', 'Wpłaty za styczeń nie doszły, proszę o wyjaśnienie'],
		])(
			'nothing is sent before a choice, and the page shows the text in %s first: %s',
			async (encoding, text) => {
				const csv = encode(encoding, `id;message\n1;Hello\n2;${text}\n`);
				const asked = await send(csv);
				const { fields } = questionOf(asked);
				expect(fields[0].html).toContain(text);
				const options = fields[1].fieldOptions.values.map(({ option }) => option);
				expect(options.at(-1)).toBe('None of these reads right');
				expect(asked.path.at(-1)).toBe('Say Which Files Work');
				expect(emulator.requests).toEqual([]);
				const choice = options.find((option) => option.startsWith(`${encoding} (`)) ?? options[0];
				const run = await send(csv, { [WHICH_LINE]: choice });
				expect((await ownOf(run))[2]).toEqual(['2', text]);
			},
		);

		test.each([
			['windows-1250', 'Zpráva', 'Můj kůň má horečku', 'windows-1252'],
			['windows-1254', 'Ürün', 'Bağlantı kurulamadı, ışık yanmıyor', 'windows-1252'],
			['windows-1250', 'Głos', `${'a'.repeat(80)} źle`, 'iso-8859-2'],
		])(
			'the choices show a place at which they differ: %s, with "%s" in the first line',
			async (encoding, name, text, other) => {
				const csv = encode(encoding, `id;${name}\n${'1;Hello\n'.repeat(6000)}2;${text}\n`);
				const options = questionOf(await send(csv)).fields[1].fieldOptions.values.map(({ option }) => option);
				const shown = [encoding, other].map((one) => options.find((option) => option.startsWith(`${one} (`)));
				expect(shown[0]).toContain(text.slice(-5));
				expect(shown[1]).not.toContain(text.slice(-5));
			},
		);

		test('nothing is sent if no choice reads right, and the page says how to save the file', async () => {
			const csv = encode('windows-1250', 'message\nWpłaty\n');
			const { rowsOf } = await send(csv, { [WHICH_LINE]: 'None of these reads right' });
			expect(rowsOf('Say Which Files Work')[0]!.problem).toContain('save it as "CSV UTF-8"');
			expect(emulator.requests).toEqual([]);
		});
	});

	test('one bad byte in a file of UTF-8 is reported with its line, and the rest is not read otherwise', async () => {
		const good = 'message\nGrüße aus München\nÉté à la plage\n';
		for (const [bad, line] of [
			[Buffer.concat([Buffer.from(`${good}Caf`), Buffer.from([0xe9]), Buffer.from(' noir\n')]), 4],
			[Buffer.concat([Buffer.from('message\n'), Buffer.from([0x96]), Buffer.from(good)]), 2],
			[Buffer.concat([Buffer.from(good), Buffer.from([0xc3])]), 4],
		] as const) {
			const { path, rowsOf } = await send(bad);
			expect(path).not.toContain('Ask About the File');
			expect(rowsOf('Say Which Files Work')[0]!.problem).toContain(`Line ${line} has a character`);
		}
		expect(emulator.requests).toEqual([]);
	});

	describe('an Excel workbook', () => {
		async function workbook(fill: (workbook: Workbook) => void): Promise<Buffer> {
			const made = new Workbook();
			fill(made);
			return Buffer.from(await made.xlsx.writeBuffer());
		}
		const byMessage = (one: unknown, other: unknown) =>
			JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
		const START = new Date(Date.UTC(2026, 0, 2, 12));
		const three = async () =>
			await workbook((made) => {
				made.addWorksheet('Read me').addRows([['About this file'], ['Kept by Ann']]);
				const trips = made.addWorksheet('Trips');
				trips.addRows([
					['message', 'start', 'price', 'paid', 'team'],
					['Where is my <b>ticket</b> & bill?', START, 12.5, true, 'Mine'],
					[],
					['I want to cancel', new Date(Date.UTC(2026, 11, 31)), 1e6, false, null],
				]);
				trips.getCell('B2').numFmt = 'dd/mm/yyyy hh:mm';
				trips.getCell('B4').numFmt = 'd mmm yy';
				trips.getCell('C4').value = { formula: 'C2*80000', result: 1e6 };
				trips.getColumn(1).width = 40;
				trips.getCell('G2').fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFF0000' } };
				made.addWorksheet('Prices').addRows([['Rome', 99]]);
			});

		test('of several sheets is asked about, keeps its sheets, dates, formulas and formats, and gets the answers on the right', async () => {
			const asked = await send(await three());
			expect(questionOf(asked).title).toBe('Which sheet?');
			expect(emulator.requests).toEqual([]);
			const run = await send(await three(), { 'Which sheet?': 'Trips' });
			const back = await workbookOf(run);
			expect(back.worksheets.map(({ name }) => name)).toEqual(['Read me', 'Trips', 'Prices']);
			expect(await sheetOf(run, 2)).toEqual([['Rome', 99]]);
			const [names, first, blank, second] = await sheetOf(run, 1);
			expect(names!.slice(0, 10)).toEqual(['message', 'start', 'price', 'paid', 'team', ...ADDED]);
			expect(first!.slice(0, 5)).toEqual(['Where is my <b>ticket</b> & bill?', START, 12.5, true, 'Mine']);
			expect(blank!.every((cell) => cell === null)).toBe(true);
			expect(second![2]).toMatchObject({ formula: 'C2*80000', result: 1e6 });
			expect(second![5]).toEqual(expect.any(String));
			expect(back.worksheets[1]!.getColumn(1).width).toBe(40);
			expect(back.worksheets[1]!.getCell('B4').numFmt).toBe('d mmm yy');
			expect(states().sort(byMessage)).toEqual([
				{ message: 'I want to cancel', start: '2026-12-31', price: 1e6, paid: false },
				{
					message: 'Where is my <b>ticket</b> & bill?',
					...{ start: '2026-01-02 12:00', price: 12.5, paid: true, team: 'Mine' },
				},
			]);
		});

		test('of one sheet is not asked about', async () => {
			const run = await send(
				await workbook((made) => {
					made.addWorksheet('Sheet').addRows([['message'], ['Où est ma carte ?'], ['x'.repeat(32_767)]]);
					made.addWorksheet('Hidden', { state: 'hidden' }).addRows([['secret']]);
				}),
			);
			expect(run.path).not.toContain('Ask About the File');
			expect(await ownOf(run)).toEqual([['message'], ['Où est ma carte ?'], ['x'.repeat(32_767)]]);
			expect((await workbookOf(run)).worksheets.map(({ name }) => name)).toEqual(['Sheet', 'Hidden']);
		});

		test.each<[name: string, file: () => Promise<Buffer | string>, reason: string]>([
			[
				'with a title',
				async () =>
					await workbook((made) =>
						made.addWorksheet('Sheet').addRows([['Messages'], [], ['id', 'message'], [1, 'Hi']]),
					),
				'Line 3 has a value in column 2',
			],
			[
				'with two columns of one name',
				async () =>
					await workbook((made) =>
						made.addWorksheet('S').addRows([
							['a', 'a'],
							[1, 2],
						]),
					),
				'two columns called "a"',
			],
			['that is cut off', async () => 'PK\x03\x04', 'cannot be read'],
			['that is old', async () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'an old Excel file'],
		])('%s is stopped before anything is sent', async (_, file, reason) => {
			const { rowsOf } = await send(await file());
			expect(rowsOf('Say Which Files Work')[0]!.problem).toContain(reason);
			expect(emulator.requests).toEqual([]);
		});
	});
});

test('puts each draft into its row, and the reason into a row without one', async () => {
	const drafted = { summary: 'Asks for the parcel', reply: 'It is on its way.', needs_person: false };
	const saying = (text: string) => ({ content: [{ type: 'text', text }], stop_reason: 'end_turn' });
	const json = `\`\`\`json\n${JSON.stringify(drafted)}\n\`\`\``;
	emulator.answer(saying(json), { bodyIncludes: 'parcel' });
	emulator.answer(saying('I cannot.'), { bodyIncludes: 'poem' });
	const csv = 'id,question,summary\n7,Where is my parcel?,mine\n8,A poem please,\n9,,\n10,Hello?,\n';
	emulator.answer(saying('{}'), { bodyIncludes: 'Hello?' });
	const run = await upload('draft-replies-to-a-sheet.json', { field: 'Sheet', csv });
	expect(await sheetOf(run)).toEqual([
		['id', 'question', 'summary', 'draft_summary', 'draft_reply', 'draft_needs_person', 'draft_problem'],
		['7', 'Where is my parcel?', 'mine', drafted.summary, drafted.reply, false, null],
		['8', 'A poem please', null, null, null, true, expect.stringContaining('not valid JSON')],
		['9', null, null, null, null, true, expect.any(String)],
		['10', 'Hello?', null, null, null, true, expect.any(String)],
	]);
	expect(emulator.requests).toHaveLength(3);
});

describe('Test your questions on labelled rows:', () => {
	const send = async (csv?: string) =>
		await upload('test-questions-on-labelled-rows.json', {
			field: 'Labelled_Rows',
			...(csv !== undefined && { csv }),
		});

	test('without a file, the example rows are answered and evaluated', async () => {
		const { path, rowsOf } = await send();
		expect(path).not.toContain('Ask Before the Rest');
		expect(path.slice(-4)).toEqual(['Evaluate Answers', 'Read the Page', 'Page', 'Show the Page']);
		expect(rowsOf('Evaluate Answers')).toMatchObject([{ rows: EXAMPLE_ROWS, skipped: 0 }]);
		expect(String(rowsOf('Read the Page')[0]!.data)).toMatch(/<table class="matrix/);
	});

	test('the service never gets the expected team, a failed row counts as wrong, and an unlabelled row does not count', async () => {
		teamIs('Cards');
		const { rowsOf } = await send('message,expected_team\na,Cards\n,Cards\nb,\n');
		expect(rowsOf('Evaluate Answers')).toMatchObject([{ rows: 2, skipped: 1, correct: 1 }]);
		const states = emulator.requests.map(({ body }) => (body as IDataObject).state);
		expect(new Set(states)).toEqual(new Set([{ message: 'a' }, { message: 'b' }]));
	});

	test.each([
		[
			'without expected answers',
			'message,label\na,Cards\n',
			'no column "expected_team". It has "message", "label"',
		],
		['without the messages', 'Message,expected_team\na,Cards\n', 'no column "message". It has "Message"'],
		['with a column for answers', 'message,expected_team,answers\na,Cards,x\n', 'a column "answers"'],
	])('a file %s is stopped before anything is sent', async (_, csv, reason) => {
		const { path, rowsOf } = await send(csv);
		expect(path.at(-1)).toBe('Say Which Files Work');
		expect(rowsOf('Say Which Files Work')[0]!.problem).toContain(reason);
		expect(emulator.requests).toEqual([]);
	});

	test.each(['team', 'model', 'team_confidence'])(
		'answers are compared with the column "%s" of the file, not with themselves',
		async (expected) => {
			const template = readTemplate('test-questions-on-labelled-rows.json');
			template.nodes.find(({ name }) => name === 'Evaluate Answers')!.parameters.expectedField = expected;
			teamIs('Cards');
			const csv = `message,${expected}\n${['Cards', 'Cards', 'Cards', 'Billing', 'Account'].map((team, row) => `Row ${row},${team}`).join('\n')}\n`;
			const run = await upload('test-questions-on-labelled-rows.json', {
				...{ field: 'Labelled_Rows', csv, template },
			});
			expect(run.rowsOf('Evaluate Answers')).toMatchObject([{ rows: 5, correct: 3 }]);
		},
	);

	test('a renamed question is still evaluated', async () => {
		const template = readTemplate('test-questions-on-labelled-rows.json');
		const { parameters } = template.nodes.find(({ name }) => name === 'Answer Questions')!;
		(parameters.questions as { question: [IDataObject] }).question[0].id = 'department';
		const run = await upload('test-questions-on-labelled-rows.json', {
			...{ field: 'Labelled_Rows', csv: 'message,expected_team\nMy card is lost,Cards\n', template },
		});
		expect(run.rowsOf('Evaluate Answers')).toMatchObject([{ rows: 1 }]);
	});
});

describe('where answers are compared with expected ones,', () => {
	/** These templates compare answers with what a person expected. Their nodes named here must not see that. */
	const COMPARING: Array<[file: string, node: string, expected: string, json: IDataObject, at?: string]> = [
		['test-questions-on-labelled-rows.json', 'Answer Questions', 'expected_team', {}],
		['is-the-new-wording-better.json', 'Old Wording', 'said', { Messages: 'My file' }],
		['is-the-new-wording-better.json', 'New Wording', 'said', { Messages: 'My file' }],
		['improve-my-question.json', 'Ask the Old Question', 'said', { Messages: 'Example rows' }],
		['improve-my-question.json', 'Ask the New Question', 'said', { Messages: 'Example rows' }],
		[
			'test-questions-in-evaluations.json',
			'Answer Questions',
			'expected_team',
			{ message: 'Where is my card?', expected_team: 'Cards' },
			'When Fetching a Row',
		],
	];

	describe.each(COMPARING)('by %s with the node "%s",', (file, node, expected, json, at) => {
		const csv = `message,said,expected_team\n${'My card is lost,Cards,Cards\n'.repeat(3)}`;
		const send = async (parameters: IDataObject, expectedField = expected) => {
			const template = structuredClone(readTemplate(file));
			Object.assign(template.nodes.find(({ name }) => name === node)!.parameters, parameters);
			template.nodes.find(({ name }) => name === 'Evaluate Answers')!.parameters.expectedField =
				expectedField;
			if (at !== undefined) return await runTemplate(template, emulator, { json, at });
			const field = file.startsWith('test') ? 'Labelled_Rows' : 'File';
			return await upload(file, { field, json, csv, template });
		};

		test.each<[name: string, parameters: IDataObject, remedy: string]>([
			['all fields are to be sent', { stateFields: '' }, 'under "Fields to Send"'],
			['the column is to be sent', { stateFields: `message, ${expected}` }, 'under "Fields to Send"'],
			['the column is dragged there', { stateFields: `['${expected}'],message` }, 'under "Fields to Send"'],
			[
				'an expression names the column',
				{ stateFields: `={{ ['message', '${expected}'] }}` },
				'under "Fields to Send"',
			],
			['a text has it', { stateSource: 'text', stateText: `=A: {{ $json.${expected} }}` }, 'under "Text"'],
			[
				'a text has the whole row',
				{ stateSource: 'text', stateText: '={{ JSON.stringify($json) }}' },
				'under "Text"',
			],
			['JSON has the whole row', { stateSource: 'json', stateJson: '={{ $json }}' }, 'under "JSON"'],
		])(
			'the run ends before a request if %s, and the error says what to do',
			async (_, parameters, remedy) => {
				const { error, path } = await send(parameters);
				expect(error).toContain(`"${node}" would send the column "${expected}" with the expected answers`);
				expect(error).toContain(remedy);
				expect(path).not.toContain(node);
				expect(emulator.requests).toEqual([]);
			},
		);

		test('the column is recognized by the path that the editor inserts', async () => {
			const { error } = await send({ stateFields: expected }, `['${expected}']`);
			expect(error).toContain(`without "${expected}"`);
			expect(emulator.requests).toEqual([]);
		});

		test.each<[string, IDataObject]>([
			['the message', { stateFields: 'message' }],
			['a text without it', { stateSource: 'text', stateText: `=The ${expected} {{ $json.message }}` }],
		])('%s is sent', async (_, parameters) => {
			const { error } = await send(parameters);
			expect(error ?? '').not.toContain('would send the column');
			expect(emulator.requests.length).toBeGreaterThan(0);
		});
	});
});

describe('Is the new wording better?', () => {
	const compare = async (Messages: string, { csv, rows = [] }: { csv?: string; rows?: IDataObject[] } = {}) =>
		await upload('is-the-new-wording-better.json', {
			field: 'File',
			json: { Messages },
			rows,
			...(csv !== undefined && { csv }),
		});

	test('the example rows have both answers, so they give a verdict without a request', async () => {
		const { path, rowsOf } = await compare('Example rows');
		expect(path.at(-1)).toBe('Show the Page');
		expect(emulator.requests).toEqual([]);
		expect(rowsOf('Evaluate Answers')).toMatchObject([
			{ rows: EXAMPLE_ROWS, compared: { verdict: 'better' } },
		]);
	});

	test('a file with two columns of answers is compared without a request', async () => {
		const csv = `said,team_old,team_new\n${'Cards,Billing,Cards\n'.repeat(8)}`;
		const { rowsOf } = await compare('My file', { csv });
		expect(rowsOf('Evaluate Answers')).toMatchObject([{ rows: 8, compared: { verdict: 'better' } }]);
		expect(emulator.requests).toEqual([]);
	});

	test('what people said is compared with both wordings, and only the message is sent', async () => {
		const rows = [
			{ message: 'My card is lost', team: 'Billing', team_confidence: 0.4, said: 'Cards' },
			{ message: 'Nobody has read this', team: 'Billing', team_confidence: 0.4, said: null },
		];
		const { rowsOf } = await compare('Reviewed messages', { rows });
		expect(rowsOf('Evaluate Answers')).toMatchObject([{ rows: 1 }]);
		const states = emulator.requests.map(({ body }) => (body as IDataObject).state);
		expect(states).toEqual([{ message: 'My card is lost' }, { message: 'My card is lost' }]);
	});

	test.each([
		['Reviewed messages', 'Say There Are None'],
		['My file', 'Say Which Files Work'],
	])('says when there are no "%s"', async (messages, end) => {
		expect((await compare(messages)).path.at(-1)).toBe(end);
	});
});
