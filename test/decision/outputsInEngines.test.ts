import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { Expression, type INodeParameters } from 'n8n-workflow';

import { outputsOf } from '../../nodes/Decision/editor/outputs';
import { readStored } from '../../nodes/Decision/editor/storedDecision';
import { decisionType } from '../support/decisionInEditor';
import type { Engine, OutputsQuestion } from '../support/outputsInEngine';

const PROGRAM = join(__dirname, '../support/outputsInEngine.ts');

const urgent = { id: 'urgent', type: 'noul', instructions: 'Is it urgent?' };

const choice = {
	id: 'team',
	type: 'choice',
	options: { option: ['2', '1', ''].map((name) => ({ name })) },
};

const routing = (question: unknown[], more: object = {}) =>
	({ operation: 'route', questions: { question }, ...more }) as unknown as INodeParameters;

const ODD: INodeParameters[] = [
	{},
	{ operation: 'route' },
	{ operation: '={{ $json.a.b }}' },
	routing([choice, urgent], { routeQuestion: '={{ $json.a.b }}' }),
	{ operation: 'route', questions: '={{ $json.a.b }}' },
	{ operation: 'route', questions: { question: '={{ $json.a }}' } },
	routing([null, 5, { id: 'x', options: null }], {
		routeQuestion: 'x',
	}),
	routing([{ ...choice, type: 'tags', id: ' e\u0301 ' }, urgent], { routeQuestion: 'é' }),
	routing([{ id: 'x', type: 'choice', options: '={{ $json.a }}' }]),
	routing([{ id: 'x', type: '={{ $json.a }}' }]),
	routing([{ id: 'x', type: 'score', levels: { level: [null, { description: '={{ $json.a }}' }] } }]),
];

// Older versions of n8n have a single engine for expressions, so there is nothing to compare.
const withEngines = 'withIsolate' in Expression.prototype ? test : test.skip;

withEngines(
	'the outputs of Route are the same in every expression engine, whatever values are stored',
	() => {
		// Expressions at the top level are removed, because n8n leaves out those that it cannot resolve.
		const isResolved = ([, value]: [string, unknown]) => !String(value).startsWith('={{');
		const resolved = ODD.map((stored) => Object.fromEntries(Object.entries(stored).filter(isResolved)));
		const engines: Engine[] = ['legacy', 'vm', 'quickjs'];
		const question: OutputsQuestion = { engines, description: decisionType.description, stored: ODD };
		// One program answers for all engines, because loading n8n takes it far longer than the rest.
		const printed = execFileSync(process.execPath, ['--import', 'tsx', PROGRAM], {
			input: JSON.stringify(question),
			encoding: 'utf8',
		});
		const outputs = resolved.map((parameters) => outputsOf(readStored(parameters)));
		expect(JSON.parse(printed)).toEqual(engines.map((engine) => ({ engine, outputs })));
	},
);
