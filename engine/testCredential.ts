import 'reflect-metadata';

import { ExecuteContext, RoutingNode } from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type ICredentialType,
	type IDataObject,
	type INode,
	type INodeCredentialTestResult,
	type INodeType,
} from 'n8n-workflow';

import { additionalDataOf } from './additionalData';
import { nodeTypesOf, NoOp } from './builtInNodes';

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
	const nodeType = nodeTypeOf(type, request);
	const context = contextOf(type, data, nodeType);
	const details = { ...DETAILS, type: type.name, data };
	try {
		const response = await new RoutingNode(context, nodeType, details).runNode();
		const failed = ruleOfBody(rules, response?.[0]?.[0]?.json ?? {});
		return failed
			? { status: 'Error', message: failed.properties.message }
			: { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		const { message, cause } = error as TestFailure;
		if (!cause?.response) return { status: 'Error', message: cause?.code ?? message };
		const { status, statusText } = cause.response;
		return {
			status: 'Error',
			message:
				ruleOfStatus(rules, status)?.properties.message ??
				(statusText || `Received HTTP status code: ${status}`),
		};
	}
}

const DETAILS = { id: '1', name: 'Credential' };

/** A node that makes the request. */
function nodeTypeOf({ name }: ICredentialType, request: ICredentialTestRequest['request']): INodeType {
	const nodeType: INodeType = new NoOp();
	nodeType.description.credentials = [{ name, required: true }];
	nodeType.description.properties = [
		{ displayName: 'Test', name: 'test', type: 'string', default: '', routing: { request } },
	];
	return nodeType;
}

function contextOf(
	type: ICredentialType,
	data: ICredentialDataDecryptedObject,
	nodeType: INodeType,
): ExecuteContext {
	const node: INode = {
		id: '1',
		name: 'Test',
		type: nodeType.description.name,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { [type.name]: DETAILS },
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: nodeTypesOf({ [node.type]: nodeType }),
	});
	return new ExecuteContext(
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
}

type Rules = NonNullable<ICredentialTestRequest['rules']>;

function ruleOfStatus(rules: Rules, status: number): Rules[number] | undefined {
	return rules.find(
		({ type, properties }) => type === 'responseCode' && 'value' in properties && properties.value === status,
	);
}

function ruleOfBody(rules: Rules, body: IDataObject): Rules[number] | undefined {
	return rules.find(
		({ type, properties }) =>
			type === 'responseSuccessBody' &&
			'key' in properties &&
			valueAt(body, properties.key) === properties.value,
	);
}

/** The same as Lodash's `get`, with which n8n reads the key. */
function valueAt(body: unknown, path: string): unknown {
	return path.split('.').reduce((value, name) => (value as IDataObject | null | undefined)?.[name], body);
}
