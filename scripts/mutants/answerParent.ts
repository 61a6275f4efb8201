// Keeps n8n's packages loaded, and runs tests for its parent process: one file for each message.
import { join } from 'node:path';

// Most tests load it, and it takes longer than they.
import 'n8n-core';

import {
	regionKey,
	type CoverReply,
	type CoverRequest,
	type CoveredTest,
	type TestReply,
	type TestRequest,
} from './messages';
import { parseSource } from './Mutant';
import { ROOT } from './paths';
import { replaceSources } from './projectModules';
import { ENTERED, instrument } from './regions';
import { runTestFile } from './runTestFile';

// What a mutant left behind may fail after its tests are over.
process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});

process.on('disconnect', () => process.exit());

process.send!('ready');

process.on('message', (request: TestRequest | CoverRequest) => {
	const reply = request.kind === 'test' ? test(request) : cover(request);
	void reply.then((sent) => process.send!(sent));
});

async function test({ testFile, only, replaced }: TestRequest): Promise<TestReply> {
	replaceSources(new Map(replaced ? [[join(ROOT, replaced.file), replaced.text]] : []));
	const outcomes = await runTestFile(join(ROOT, testFile), {
		only: only && new Set(only),
		stopAtFailure: true,
	});
	const failed = outcomes.find(({ error }) => error !== undefined);
	return { ...(failed ? { failed } : {}), memoryBytes: process.memoryUsage.rss() };
}

async function cover({ testFile, files }: CoverRequest): Promise<CoverReply> {
	replaceSources(
		new Map(files.map((file, number) => [join(ROOT, file), instrument(parseSource(file), number)])),
	);
	let entered = new Set<number>();
	let loaded: number[] = [];
	const regions = new Map<string, number[]>();
	Object.assign(globalThis, {
		[ENTERED]: (file: number, region: number) => void entered.add(regionKey(file, region)),
	});
	const outcomes = await runTestFile(join(ROOT, testFile), {
		stopAtFailure: false,
		onStep: (test) => {
			if (test === undefined) loaded = [...entered];
			else regions.set(test, [...entered]);
			entered = new Set();
		},
	});
	const tests = outcomes.map((outcome): CoveredTest => ({
		...outcome,
		regions: regions.get(outcome.name) ?? [],
	}));
	return { loaded, tests };
}
