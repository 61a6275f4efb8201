import 'reflect-metadata';

import { ExecuteContext, RoutingNode } from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type INode,
	type INodeCredentialTestResult,
	type INodeType,
} from 'n8n-workflow';

import { additionalDataOf } from './additionalData';
import { NoOp } from './builtInNodes';

interface TestFailure {
	message: string;
	cause?: { response?: { status: number; statusText: string }; code?: string };
}

/**
 * Tests a credential the way n8n's server does (credentials-tester.service.ts): the declared request runs through the
 * engine's routing node, then the rules decide. The server itself is not installed for this.
 */
export async function testCredential(
	type: ICredentialType,
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	if (!type.test) throw new Error('The credential declares no test');
	const { request, rules = [] } = type.test;
	const nodeType: INodeType = new NoOp();
	nodeType.description.credentials = [{ name: type.name, required: true }];
	nodeType.description.properties = [
		{ displayName: 'Test', name: 'test', type: 'string', default: '', routing: { request } },
	];
	const details = { id: '1', name: 'Credential' };
	const node: INode = {
		id: '1',
		name: 'Test',
		type: nodeType.description.name,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { [type.name]: details },
	};
	const find = () => nodeType;
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) },
	});
	const context = new ExecuteContext(
		workflow,
		node,
		additionalDataOf({ credentialTypes: { [type.name]: type }, credentials: { [type.name]: data } }),
		'internal',
		createRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	let body: unknown;
	try {
		const response = await new RoutingNode(context, nodeType, {
			...details,
			type: type.name,
			data,
		}).runNode();
		body = response?.[0]?.[0]?.json;
	} catch (error) {
		const { message, cause } = error as TestFailure;
		if (!cause?.response) return { status: 'Error', message: cause?.code ?? message };
		const { status, statusText } = cause.response;
		const rule = rules.find(
			({ type: kind, properties }) =>
				kind === 'responseCode' && 'value' in properties && properties.value === status,
		);
		return {
			status: 'Error',
			message: rule?.properties.message ?? (statusText || `Received HTTP status code: ${status}`),
		};
	}
	const failed = rules.find(
		({ type: kind, properties }) =>
			kind === 'responseSuccessBody' &&
			'key' in properties &&
			(body as Record<string, unknown>)[properties.key] === properties.value,
	);
	return failed
		? { status: 'Error', message: failed.properties.message }
		: { status: 'OK', message: 'Connection successful!' };
}
