import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import type { Job, Service } from '../Job';
import { countAtOnce } from './atOnce';
import { runOnEngine } from './onEngine';
import type { Peer } from './Peer';
import { bodyFor, headersFor, isAnswer } from './request';

/** Sends items with n8n's request helper alone, called in a minimal node. The default transport is based on this helper. */
export function bareHelper({ concurrency }: Job): Peer {
	return async (items, service) =>
		await runOnEngine(items, {
			type: 'bench.bareHelper',
			nodeType: new BareHelper(service, concurrency),
			parameters: {},
			isAnswered: () => true,
		});
}

class BareHelper implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bare Helper',
		name: 'bareHelper',
		group: ['transform'],
		version: 1,
		description: 'Sends each item by the request helper',
		defaults: { name: 'Bare Helper' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

	constructor(service: Service, concurrency: number) {
		this.execute = async function () {
			const outputs: INodeExecutionData[] = [];
			await countAtOnce([...this.getInputData().entries()], concurrency, async ([index, item]) => {
				const json = (await this.helpers.httpRequest({
					method: 'POST',
					url: `${service.url}/systemone`,
					body: bodyFor(item.json),
					json: false,
					headers: headersFor(service),
				})) as IDataObject;
				if (isAnswer(json)) outputs.push({ json, pairedItem: { item: index } });
				return true;
			});
			return [outputs];
		};
	}
}
