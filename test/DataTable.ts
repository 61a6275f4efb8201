import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { PassOn } from './template';

const property = (name: string, value: string | object): INodeProperties => ({
	displayName: name,
	name,
	type: typeof value === 'string' ? 'string' : 'json',
	default: typeof value === 'string' ? value : (value as never),
});

interface Columns {
	mappingMode: string;
	value: IDataObject | null;
}

interface Filters {
	conditions?: Array<{ keyName?: string; condition?: string; keyValue?: unknown }>;
}

/** Replaces the Data Table node: one table, whose rows are kept from run to run. */
export class DataTable extends PassOn {
	constructor(readonly rows: IDataObject[] = []) {
		super('dataTable', 1, [
			property('operation', 'insert'),
			property('columns', {}),
			property('filters', {}),
			property('limit', ''),
		]);
		this.execute = async function (this: IExecuteFunctions) {
			return [await act(this, rows)];
		};
	}
}

async function act(node: IExecuteFunctions, rows: IDataObject[]): Promise<INodeExecutionData[]> {
	const asItem = (json: IDataObject): INodeExecutionData => ({ json: { ...json }, pairedItem: { item: 0 } });
	const operation = node.getNodeParameter('operation', 0);
	if (operation === 'create') return [asItem({ id: 'table' })];
	if (operation === 'insert') {
		return node.getInputData().map(({ json }, index) => {
			const { mappingMode, value } = node.getNodeParameter('columns', index) as Columns;
			const row = { id: rows.length + 1, ...(mappingMode === 'autoMapInputData' ? json : value) };
			rows.push(row);
			return asItem(row);
		});
	}
	const { conditions = [] } = node.getNodeParameter('filters', 0) as Filters;
	const matching = rows.filter((row) =>
		conditions.every(({ keyName = 'id', condition = 'eq', keyValue }) => {
			const isEmpty = (row[keyName] ?? null) === null;
			if (condition === 'isEmpty') return isEmpty;
			return condition === 'isNotEmpty' ? !isEmpty : row[keyName] === keyValue;
		}),
	);
	if (operation === 'update') {
		const { value } = node.getNodeParameter('columns', 0) as Columns;
		for (const row of matching) Object.assign(row, value);
	}
	const limit = Number(node.getNodeParameter('limit', 0) || matching.length);
	return matching.slice(0, limit).map(asItem);
}
