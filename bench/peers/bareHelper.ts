import {
	NodeConnectionTypes,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import type { Job, Service } from '../Job';
import { countAtOnce } from './atOnce';
import { loadCredentialType } from './decision';
import { runOnEngine } from './onEngine';
import type { Peer } from './Peer';
import { bodyFor, headersFor, isAnswer } from './request';

const CREDENTIAL = 'inferenceServiceApi';

/** Sends one request, and returns the JSON of the answer. */
type Send = (context: IExecuteFunctions, service: Service, body: string) => Promise<unknown>;

/** n8n's request helper, with nothing around it except the node that calls it. */
export function bareHelper({ concurrency }: Job): Peer {
	return {
		run: async (items, service) =>
			await runOnEngine(items, {
				type: 'bench.bareHelper',
				nodeType: new BareHelper(service, concurrency, sendUnguarded),
				parameters: {},
				isAnswered: () => true,
			}),
	};
}

/**
 * The same with a credential, a cancel signal for each request, and a response that is read as it arrives. This is the
 * minimum for a node that protects its key, and can end a request that is late or too large.
 */
export function guardedHelper({ concurrency, packageFolder }: Job): Peer {
	const credentialType = loadCredentialType(packageFolder);
	return {
		run: async (items, service) =>
			await runOnEngine(items, {
				type: 'bench.bareHelper',
				nodeType: new BareHelper(service, concurrency, guarded(service)),
				parameters: {},
				credential: { type: credentialType, data: fieldsOf(service) },
				isAnswered: () => true,
			}),
	};
}

async function sendUnguarded(context: IExecuteFunctions, service: Service, body: string): Promise<unknown> {
	return await context.helpers.httpRequest({ ...optionsFor(service, body), headers: headersFor(service) });
}

function guarded(service: Service): Send {
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data: fieldsOf(service) };
	return async (context, _, body) => {
		const { signal } = new AbortController();
		const abortable = Object.assign(Object.create(context), { getExecutionCancelSignal: () => signal });
		const options = {
			...optionsFor(service, body),
			headers: { 'content-type': 'application/json' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		} satisfies IHttpRequestOptions;
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			abortable,
			CREDENTIAL,
			options,
			{
				credentialsDecrypted,
			},
		)) as { body: AsyncIterable<Buffer> };
		const chunks: Buffer[] = [];
		for await (const chunk of response.body) chunks.push(chunk);
		return JSON.parse(Buffer.concat(chunks).toString());
	};
}

function fieldsOf({ url, apiKey }: Service): ICredentialDataDecryptedObject {
	return { baseUrl: url, apiKey };
}

function optionsFor({ url }: Service, body: string): IHttpRequestOptions {
	return { method: 'POST', url: `${url}/systemone`, body, json: false };
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

	constructor(service: Service, concurrency: number, send: Send) {
		this.execute = async function () {
			const items = this.getInputData();
			const indexes = items.map((_, index) => index);
			const outputs: INodeExecutionData[] = [];
			await countAtOnce(indexes, concurrency, async (index) => {
				const json = await send(this, service, bodyFor(items[index]!.json));
				if (isAnswer(json)) outputs.push({ json: json as IDataObject, pairedItem: { item: index } });
				return true;
			});
			return [outputs];
		};
	}
}
