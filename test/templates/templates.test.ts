import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { commonPollingParameters } from 'n8n-core/dist/nodes-loader/constants';
import { NodeHelpers, type INodeProperties, type INodeType } from 'n8n-workflow';

import { toolOf } from '../support/toolOf';
import { nodeTypes as ownTypes } from '../support/runNode';
import { templatePaths, withSharedCode } from '../support/sharedCode';
import { OWN, readTemplate, STICKY_NOTE, templateFiles } from '../support/template';

const nodeTypes: Record<string, INodeType> = {
	...ownTypes,
	[`${OWN}decisionTool`]: toolOf(ownTypes[`${OWN}decision`]!),
	[`${OWN}accountTool`]: toolOf(ownTypes[`${OWN}account`]!),
};

/** Notes may use these words of n8n's editor. */
const WORDS_OF_EDITOR = [
	'Authentication',
	'Binary',
	'Cell Format: Let n8n format',
	'Continue (using error output)',
	'Data tables',
	'Email Trigger (IMAP)',
	'Evaluations',
	'Execute Sub-workflow',
	'Execute workflow',
	'Executions',
	'Google Sheets',
	'Google Sheets: Append Row',
	'Google Sheets: Get Row(s)',
	'Google Sheets Trigger',
	'HTML',
	'Make Chat Publicly Available',
	'On Error',
	'Path',
	'Production URL',
	'Publish',
	'Response Mode',
	'Retry',
	'Run once for each item',
	'Send Email',
	'Send and Wait for Response',
	'Settings',
	'Streaming',
	'System Message',
	'Test URL',
	'To Email',
	'Update Row',
	'When Executed by Another Workflow',
];

/** n8n 3 removes nodes of these types, and changes one. */
const CHANGED_IN_N8N_3 = /\.(function|functionItem|itemLists|aiTransform|executeWorkflow)$|langchain\.code$/;

/** Returns the labels of a parameter, of its values, and of the parameters within it. */
function labelsOf({ displayName, options = [] }: INodeProperties): string[] {
	const inner = options.flatMap((option) => {
		if ('values' in option) return option.values.flatMap(labelsOf);
		return 'type' in option ? labelsOf(option) : [option.name, `${displayName}: ${option.name}`];
	});
	return [displayName, ...inner];
}

test('the README lists every template by its name', () => {
	const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
	const listed = [...readme.matchAll(/^\| \w* ?\| \[(.+?)\]\(templates\/(.+?)\)/gm)].map(([, name, file]) => [
		file,
		name,
	]);
	expect(listed.sort()).toEqual(templateFiles.map((file) => [file, readTemplate(file).name]).sort());
});

test.each(templatePaths)(
	'%s has the shared code of its nodes, as `npm run templates:generate` puts it there',
	(path) => {
		const template = readFileSync(path, 'utf8');
		expect(withSharedCode(template)).toBe(template);
	},
);

describe.each(templateFiles)('%s', (file) => {
	const template = readTemplate(file);
	const steps = template.nodes.filter(({ type }) => type !== STICKY_NOTE);
	const notes = template.nodes.filter(({ type }) => type === STICKY_NOTE);
	const about = String(notes[0]?.parameters.content);

	test('leaves the path of its webhooks empty, so that n8n makes up a new one at each import', () => {
		const webhooks = template.nodes.filter(({ type }) => /\.(webhook|mcpTrigger)$/.test(type));
		expect(webhooks.map(({ parameters, webhookId }) => [parameters.path, webhookId])).toEqual(
			webhooks.map(() => ['', undefined]),
		);
	});

	test('has no node that n8n 3 removes or changes', () => {
		const types = readTemplate(file).nodes.map(({ type }) => type);
		expect(types.filter((type) => CHANGED_IN_N8N_3.test(type))).toEqual([]);
	});

	test('has a name, a trigger and a note that says what it does', () => {
		expect(template.name).toMatch(/^[A-Z][\w ,.()]+\??$/);
		expect(steps[0]!.type).toMatch(/Trigger$|\.webhook$/);
		expect(about).toContain(`## ${template.name}\n`);
		expect(about).toMatch(/credential of the Inference Service/);
	});

	test('has unique names of nodes, and connects all nodes', () => {
		const names = template.nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(template.nodes.map(({ id }) => id)).size).toBe(names.length);
		const targets = Object.values(template.connections).flatMap((byType) =>
			Object.values(byType).flatMap((outputs) =>
				outputs.flatMap((connections) => (connections ?? []).map(({ node }) => node)),
			),
		);
		for (const name of [...Object.keys(template.connections), ...targets]) expect(names).toContain(name);
		const connected = new Set([...Object.keys(template.connections), ...targets]);
		expect([...connected].sort()).toEqual(steps.map(({ name }) => name).sort());
	});

	test('calls its steps by their names in its notes', () => {
		const texts = notes.map(({ parameters }) => String(parameters.content)).join('\n');
		const named = [...texts.matchAll(/\*\*(.+?)\*\*/g)].map(([, name]) => name);
		expect(named).not.toEqual([]);
		for (const name of named) expect(steps.map((step) => step.name)).toContain(name);
	});

	test('uses the words on the screen in its notes', () => {
		const texts = notes.map(({ parameters }) => String(parameters.content)).join('\n');
		const words = [...texts.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(([, word]) => word!);
		const labels = Object.values(nodeTypes).flatMap(({ description }) =>
			description.properties.flatMap(labelsOf),
		);
		const known = [...labels, ...WORDS_OF_EDITOR, ...templateFiles.map((one) => readTemplate(one).name)];
		/** The template as text contains the choices of its forms and questions. */
		const offered = JSON.stringify(steps);
		const isOffered = (word: string) =>
			[JSON.stringify(word), `'${word}'`].some((text) => offered.includes(text));
		expect(words.filter((word) => !known.includes(word) && !isOffered(word))).toEqual([]);
		expect(texts).not.toMatch(/\bactivate\b/i);
	});

	test('holds no credential and no data', () => {
		for (const node of template.nodes) expect(node).not.toHaveProperty('credentials');
		expect(template.pinData ?? {}).toEqual({});
		expect(JSON.stringify(template)).not.toMatch(/sk-|Bearer|instanceId/);
	});

	test("uses this package's nodes with parameters that they have", () => {
		const own = steps.filter(({ type }) => type.startsWith(OWN));
		expect(own).not.toEqual([]);
		for (const node of own) {
			const { description } = nodeTypes[node.type]!;
			const properties = [...(description.polling ? commonPollingParameters : []), ...description.properties];
			expect([description.version].flat()).toContain(node.typeVersion);
			const known = NodeHelpers.getNodeParameters(
				properties,
				node.parameters,
				false,
				false,
				node,
				description,
			);
			expect(known).toEqual(node.parameters);
			expect(NodeHelpers.getNodeParametersIssues(properties, node, description)).toBeNull();
		}
	});
});
