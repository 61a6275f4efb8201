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

/** n8n's request helper, nothing around it but the node that it is called from. */
export function bareHelper({ concurrency }: Job): Peer {
	return {
		run: async (items, service) =>
			await runOnEngine(items, {
				type: 'bench.bareHelper',
				nodeType: new BareHelper(service, concurrency),
				parameters: {},
				isAnswered: () => true,
			}),
	};
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
			const items = this.getInputData();
			const indexes = items.map((_, index) => index);
			const outputs: INodeExecutionData[] = [];
			await countAtOnce(indexes, concurrency, async (index) => {
				const json: unknown = await this.helpers.httpRequest({
					method: 'POST',
					url: `${service.url}/systemone`,
					headers: headersFor(service),
					body: bodyFor(items[index]!.json),
					json: false,
				});
				if (isAnswer(json)) outputs.push({ json: json as IDataObject, pairedItem: { item: index } });
				return true;
			});
			return [outputs];
		};
	}
}
