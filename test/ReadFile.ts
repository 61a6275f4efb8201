import { parse } from 'csv-parse/sync';
import type { IBinaryKeyData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { PassOn } from './template';

/** Stands in for Extract From File: the rows of a CSV file, or the text of a file. */
export class ReadFile extends PassOn {
	constructor() {
		super('extractFromFile', 1, [
			{ displayName: 'Operation', name: 'operation', type: 'string', default: 'csv' },
			{ displayName: 'Field', name: 'binaryPropertyName', type: 'string', default: 'data' },
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				default: {},
				options: ['delimiter', 'enableBOM', 'keepSource'].map((name) => ({
					displayName: name,
					name,
					type: 'string' as const,
					default: '',
				})),
			},
		]);
	}

	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const field = this.getNodeParameter('binaryPropertyName', 0);
		const file = await this.helpers.getBinaryDataBuffer(0, field);
		const { delimiter, enableBOM, keepSource } = this.getNodeParameter('options', 0) as {
			delimiter?: string;
			enableBOM?: boolean;
			keepSource?: string;
		};
		if (this.getNodeParameter('operation', 0) === 'csv') {
			// n8n's own node leaves out empty cells, too.
			const rows = parse<IDataObject>(file, {
				bom: enableBOM === true,
				columns: true,
				delimiter: delimiter ?? ',',
				skip_empty_lines: true,
			}).map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')));
			return [rows.map((json) => ({ json, pairedItem: { item: 0 } }))];
		}
		const { binary } = this.getInputData()[0]!;
		const json = { data: file.toString() };
		return [[{ json, ...(keepSource === 'binary' && binary && { binary }), pairedItem: { item: 0 } }]];
	}
}

/** A CSV file as a form outputs it. */
export function csvFile(field: string, text: string): IBinaryKeyData {
	const data = Buffer.from(text).toString('base64');
	return { [field]: { data, mimeType: 'text/csv', fileName: 'Rows.CSV' } };
}

/** Rows as the text of a CSV file. */
export function csvOf(rows: IDataObject[], separator = ','): string {
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
	return lines
		.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator))
		.join('\r\n');
}
