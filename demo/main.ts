import { createReadStream, createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';

import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify';
import { Workbook } from 'exceljs';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { decideByMeaning } from '../emulator/decideByMeaning';
import { Emulator } from '../emulator/Emulator';
import { loadPackage } from '../engine/loadPackage';
import { outputsOf, runWorkflow } from '../engine/runWorkflow';
import { useTemporaryUserFolder } from '../engine/useTemporaryUserFolder';
import { teamOfIntent } from './teamOfIntent';
import workflow from './workflow.json';

const ROOT = resolve(__dirname, '..');
const SAMPLE = join(__dirname, 'customer-messages.csv');
const OUTPUT = join(ROOT, 'demo-output');
const EVALUATION_PAGE = join(OUTPUT, 'evaluation.html');

/** The rows are taken evenly from the whole file, because it may be sorted by subject. */
const MAX_ROWS = 400;

const USAGE = `Usage: npm run demo -- [--input FILE] [--url BASE_URL --key API_KEY [--model NAME]]

  --input FILE    a CSV file with a column "text" (${MAX_ROWS} rows are used), and perhaps "expected_team"
  --url BASE_URL  a real service, including /v1, instead of the emulator
  --key API_KEY   its API key; any text for a server without keys
  --model NAME    its model, if that is not Kev-4B, such as kev for Ollama`;

async function main(): Promise<void> {
	const { values: flags } = parseArgs({
		options: {
			input: { type: 'string' },
			url: { type: 'string' },
			key: { type: 'string' },
			model: { type: 'string' },
			help: { type: 'boolean' },
		},
	});
	if (flags.help) return console.log(USAGE);
	if ((flags.url === undefined) !== (flags.key === undefined)) {
		throw new Error(`--url and --key go together\n\n${USAGE}`);
	}

	const input = flags.input ? resolve(flags.input) : SAMPLE;
	const rows = await readRows(input);
	const isLabelled = rows.some(({ expected_team: expected }) => Boolean(expected));
	// A page of an earlier run would look like one of this run, which writes none without expected teams.
	rmSync(EVALUATION_PAGE, { force: true });
	useTemporaryUserFolder();
	const { nodeTypes, credentialTypes } = await loadPackage();
	const emulator = flags.url === undefined ? await Emulator.start({ decide: decideByMeaning }) : undefined;
	const service = { baseUrl: flags.url ?? emulator!.url, apiKey: flags.key ?? emulator!.apiKey };
	console.log(
		emulator
			? 'Answers  by a small model on this machine (the emulator), not by the service'
			: `Answers  by ${service.baseUrl}, model ${flags.model ?? 'Kev-4B'}`,
	);
	console.log(`Input    ${relative(process.cwd(), input)}, ${rows.length} messages`);

	const progress = showProgress(rows.length);
	const startedAt = performance.now();
	try {
		const run = await runWorkflow({
			workflow: workflowFor(flags.model, isLabelled),
			nodeTypes,
			credentialTypes,
			credentials: { inferenceServiceApi: service },
			items: rows.map((json) => ({ json })),
			onRequest: progress.step,
		});
		const decided = outputsOf(run, 'Decide')[0]!.map(({ json }) => json);
		progress.end();
		const seconds = (performance.now() - startedAt) / 1000;
		console.log(`Answered ${decided.length} messages in ${seconds.toFixed(1)} s on n8n's engine\n`);
		printFirstRows(decided);
		printTeams(decided);
		if (isLabelled) {
			await writeEvaluation(outputsOf(run, 'Evaluate')[0]![0]!, emulator !== undefined);
		}
		await writeFiles(decided);
		console.log('\nNext     npm start opens n8n with these nodes, to try them in your browser');
	} finally {
		progress.end();
		await emulator?.close();
	}
}

/** Makes the demo's workflow, with the model in the node's option. Without expected teams, there is nothing to evaluate. */
function workflowFor(
	model: string | undefined,
	isLabelled: boolean,
): Parameters<typeof runWorkflow>[0]['workflow'] {
	const nodes = workflow.nodes.map((node) => {
		if (node.name === 'Evaluate') return { ...node, disabled: !isLabelled };
		return node.name === 'Decide' && model
			? { ...node, parameters: { ...node.parameters, options: { model } } }
			: node;
	});
	return { ...workflow, nodes } as unknown as Parameters<typeof runWorkflow>[0]['workflow'];
}

async function readRows(file: string): Promise<IDataObject[]> {
	const rows: IDataObject[] = [];
	const parser = createReadStream(file).pipe(parse({ columns: true, bom: true }));
	for await (const row of parser) rows.push(withExpectedTeam(row as IDataObject));
	if (rows.length === 0 || rows[0]?.text === undefined) {
		throw new Error(`${file} has no column "text", or no rows`);
	}
	const step = Math.max(1, rows.length / MAX_ROWS);
	return Array.from(
		{ length: Math.min(rows.length, MAX_ROWS) },
		(_, index) => rows[Math.floor(index * step)]!,
	);
}

function withExpectedTeam(row: IDataObject): IDataObject {
	const team = teamOfIntent(row.category);
	return team === undefined ? row : { ...row, expected_team: team };
}

function showProgress(total: number): { step: () => void; end: () => void } {
	let sent = 0;
	const interactive = process.stdout.isTTY;
	const every = interactive ? 1 : Math.ceil(total / 4);
	return {
		step: () => {
			sent++;
			if (sent % every !== 0 && sent !== total) return;
			process.stdout.write(
				`${interactive ? '\r' : ''}Asking   ${sent} of ${total}${interactive ? '' : '\n'}`,
			);
		},
		end: () => {
			if (interactive && sent > 0) process.stdout.write('\n');
			sent = 0;
		},
	};
}

function printFirstRows(decided: IDataObject[]): void {
	console.table(
		decided
			.slice(0, 10)
			.map(({ text, theft, theft_yes, team, team_confidence, severity, severity_level }) => ({
				message: shorten(String(text), 44),
				'lost or stolen': `${theft_yes ? 'yes' : 'no'} ${asFixed(theft)}`,
				team: `${String(team)} ${asFixed(team_confidence)}`,
				severity: `${asFixed(severity)} ${String(severity_level).split(':')[0]!}`,
			})),
	);
}

function printTeams(decided: IDataObject[]): void {
	const teams = Map.groupBy(decided, ({ team }) => String(team));
	console.log('\nPer team');
	console.table(
		[...teams]
			.sort(([, a], [, b]) => b.length - a.length)
			.map(([team, messages]) => ({
				team,
				messages: messages.length,
				'lost or stolen': messages.filter(({ theft_yes }) => theft_yes).length,
				'severity (mean, 0 to 4)': Number(
					(messages.reduce((sum, { severity }) => sum + Number(severity), 0) / messages.length).toFixed(2),
				),
			})),
	);
}

async function writeEvaluation({ json, binary }: INodeExecutionData, ofEmulator: boolean): Promise<void> {
	const { rows, correct, accuracy, accuracy_low: low, accuracy_high: high, baseline } = json;
	const { recommended_threshold: threshold, coverage, coverage_accuracy: reached } = json;
	console.log(`\nEvaluated  ${String(rows)} messages against the expected teams`);
	console.log(
		`Correct    ${String(correct)}, which is ${percent(accuracy)} (95% interval ${percent(low)} to ${percent(high)})`,
	);
	console.log(`Baseline   ${percent(baseline)} by always choosing the most frequent team`);
	console.log(
		threshold === null
			? 'Threshold  these rows cannot show one that reaches the target of 80%'
			: `Threshold  at ${String(threshold)}, ${percent(coverage)} are decided, ${percent(reached)} of them correctly`,
	);
	if (ofEmulator) {
		console.log(
			"Note       these figures are the small model's, and say nothing about the service's. That one was trained with messages\n           of this collection (BANKING77): measure it with your own",
		);
	}
	mkdirSync(OUTPUT, { recursive: true });
	await writeFile(EVALUATION_PAGE, Buffer.from(binary!.report!.data, 'base64'));
	console.log(`\nWritten  ${relative(process.cwd(), EVALUATION_PAGE)}`);
}

function percent(share: unknown): string {
	return `${(100 * Number(share)).toFixed(0)}%`;
}

async function writeFiles(decided: IDataObject[]): Promise<void> {
	mkdirSync(OUTPUT, { recursive: true });
	const columns = Object.keys(decided[0]!);

	const workbook = new Workbook();
	const sheet = workbook.addWorksheet('Decisions');
	sheet.columns = columns.map((key) => ({ header: key, key, width: key === 'text' ? 60 : 18 }));
	sheet.addRows(decided);
	sheet.getRow(1).font = { bold: true };
	const xlsx = join(OUTPUT, 'decisions.xlsx');
	await workbook.xlsx.writeFile(xlsx);

	const csv = join(OUTPUT, 'decisions.csv');
	const writer = stringify(decided, { header: true, columns, cast: { boolean: String } });
	await finished(writer.pipe(createWriteStream(csv)));

	console.log(`\nWritten  ${relative(process.cwd(), xlsx)}`);
	console.log(`Written  ${relative(process.cwd(), csv)}`);
}

function asFixed(value: unknown): string {
	return typeof value === 'number' ? value.toFixed(2) : '–';
}

function shorten(text: string, length: number): string {
	return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

main().catch((error: unknown) => {
	const { message, description } = error as { message?: string; description?: string };
	console.error(`\n${message ?? String(error)}${description ? `\n${description}` : ''}`);
	process.exitCode = 1;
});
