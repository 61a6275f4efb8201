import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { nodeTypes, withInner } from '../support/runNode';
import {
	COMPLETE_FILES,
	nodeOf,
	readWorkflow,
	runSavedWorkflow,
	testEachFile,
} from '../support/savedWorkflows';
import { useEmulator } from '../support/useEmulator';

/*
 * An API, or an AI that builds workflows, may store values that the editor never would: null in place of a text, a list in
 * place of a number, no entries in a list. A person may write an expression for an object into a text.
 *
 * Each complete workflow is run once for each of its values and each value of WRONG_VALUES in its place. If several workflows have
 * the same value, they take turns. The node may use its default, or fail with an error of its own. It must not
 *
 * - fail with an error of JavaScript, such as "Cannot read properties of null",
 * - send "[object Object]" to the service, or
 * - send a request first and fail then, because requests cost money.
 */
type Path = Array<string | number>;

const WRONG_VALUES: unknown[] = ['', null, [], ['x', null], {}, '=The order: {{ [{ id: 7 }] }}'];

/** Matches an error of JavaScript, or a text made from an object. */
const RAW_ERROR =
	/Cannot (read|convert|destructure)|is not (a function|iterable|defined)|undefined|\[object|NaN/;

/** Matches the error with which n8n itself refuses entries that are no list, before it runs the node. */
const ERROR_OF_N8N = /^propertyValues\[itemName\] is not iterable$/;

/** Holds the workflows that have the same value, by that value and its surroundings. */
const holders = new Map<string, string[]>();
for (const file of COMPLETE_FILES) {
	const node = nodeOf(readWorkflow(file));
	for (const path of pathsIn(node.parameters)) {
		const key = surroundingsOf(node, path);
		holders.set(key, [...(holders.get(key) ?? []), file]);
	}
}

const emulator = useEmulator();

testEachFile('%s uses a default or fails clearly without one of its values', COMPLETE_FILES, async (file) => {
	expect(await problemsWith(file, undefined)).toEqual([]);
});

for (const value of WRONG_VALUES) {
	testEachFile(
		`%s uses a default or fails clearly with ${JSON.stringify(value)} in place of one of its values`,
		COMPLETE_FILES,
		async (file) => {
			expect(await problemsWith(file, value)).toEqual([]);
		},
	);
}

testEachFile('%s succeeds with its saved values', COMPLETE_FILES, async (file) => {
	expect(await errorsOf(file, nodeOf(readWorkflow(file)).parameters)).toEqual([]);
});

test('every parameter of every node occurs in a complete workflow', () => {
	const saved = COMPLETE_FILES.map((file) => nodeOf(readWorkflow(file)));
	// These parameters come from n8n, for tools and for triggers that poll.
	const others = ['descriptionType', 'toolDescription', 'pollTimes'];
	const missing = Object.entries(nodeTypes).flatMap(([name, { description }]) => {
		const stored = saved
			.filter(({ type }) => type === name)
			.flatMap(({ parameters }) => pathsIn(parameters).map((path) => path.at(-1)));
		return withInner(description.properties)
			.filter((property) => property.type !== 'notice' && ![...stored, ...others].includes(property.name))
			.map((property) => `${name}: ${property.name}`);
	});
	expect(missing).toEqual([]);
});

async function problemsWith(file: string, value: unknown): Promise<string[]> {
	const node = nodeOf(readWorkflow(file));
	const { parameters } = node;
	// Every wrong value has its turn, and undefined has the first one.
	const turn = WRONG_VALUES.indexOf(value) + 1;
	const isInTurn = (path: Path) => {
		const files = holders.get(surroundingsOf(node, path))!;
		return files[turn % files.length] === file;
	};
	const problems: string[] = [];
	// The field `__rl` is left out, because n8n itself uses it to mark a value with a mode.
	for (const path of pathsIn(parameters).filter((one) => one.at(-1) !== '__rl' && isInTurn(one))) {
		emulator.reset();
		const errors = await errorsOf(file, replaced(parameters, path, value));
		const sent = JSON.stringify(emulator.requests.map(({ body, multipart }) => [body, multipart?.fields]));
		const isSent = emulator.requests.length > 0;
		for (const error of errors.filter((message) => !ERROR_OF_N8N.test(message))) {
			if (error === '' || RAW_ERROR.test(error)) problems.push(`${path.join('.')} fails with "${error}"`);
			if (isSent) problems.push(`${path.join('.')} is sent, and fails with "${error}"`);
		}
		if (sent.includes('[object')) problems.push(`${path.join('.')} is sent as [object Object]`);
	}
	return problems;
}

/** Runs the workflow with these parameters, and returns the messages of the errors that the node throws or outputs. */
async function errorsOf(file: string, parameters: INodeParameters): Promise<string[]> {
	const workflow = readWorkflow(file);
	Object.assign(nodeOf(workflow), { parameters, onError: 'continueRegularOutput' });
	// Every deletion succeeds, because a fresh emulator has no voice style that could be deleted.
	emulator.answer({}, { path: '/audio/voice/deletions' });
	try {
		const outputs = await runSavedWorkflow(
			workflow,
			emulator,
			async (model) => (await model.invoke('Hello')).content,
		);
		return outputs.flat().flatMap(({ json }) => {
			const error = json.error as { message?: string } | undefined;
			return error ? [error.message ?? ''] : [];
		});
	} catch (error) {
		return [(error as Error).message];
	}
}

/** Returns the path of each value, including lists and collections and what they contain. */
function pathsIn(value: unknown, path: Path = []): Path[] {
	if (typeof value !== 'object' || value === null) return [path];
	const within = Object.entries(value).flatMap(([key, inner]) =>
		pathsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
	);
	return path.length === 0 ? within : [path, ...within];
}

/**
 * Returns what decides how a node reads a value: its operation, and the parameter that contains the value. Of the options, each is
 * read alone.
 */
function surroundingsOf({ type, parameters }: INode, path: Path): string {
	const [name, option] = path as [string, string?];
	const { [name]: parameter, operation } = parameters;
	const isOption = name === 'options' && option !== undefined;
	return JSON.stringify([type, operation, path, isOption ? (parameter as IDataObject)[option] : parameter]);
}

/** Returns a copy of the parameters with another value at the path, or without one if the value is undefined. */
function replaced(parameters: INodeParameters, path: Path, value: unknown): INodeParameters {
	const copy = structuredClone(parameters);
	let holder = copy as Record<string | number, unknown>;
	for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>;
	const last = path.at(-1)!;
	if (value !== undefined) holder[last] = structuredClone(value);
	else if (Array.isArray(holder)) holder.splice(Number(last), 1);
	else delete holder[last];
	return copy;
}
