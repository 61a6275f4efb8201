import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

import { jestExpect } from '@jest/expect';
import type { Circus } from '@jest/types';
import { configureGlobal } from 'fast-check';
import * as circus from 'jest-circus';
import { ModuleMocker } from 'jest-mock';
import { SnapshotState } from 'jest-snapshot';

import { loadAgain } from './projectModules';

// The same as in jest.config.js.
const TEST_TIMEOUT_MS = 20_000;

/** The result of a test. Its name consists of the titles of its blocks and its own, and is unique in its file. */
export interface TestOutcome {
	name: string;
	milliseconds: number;
	/** The error with which the test failed. */
	error?: string;
}

export interface TestFileOptions {
	/** The names of the tests to run; all when not given. */
	only?: ReadonlySet<string>;
	/** Run no further test after one has failed. */
	stopAtFailure: boolean;
	/** Called before the first hook with the first test, and again as each test starts. */
	onStart?: (name: string) => void;
}

const MOCKER = new ModuleMocker(globalThis);

/** Runs the tests of a file in this process. A file that cannot be loaded is one failed test without a name. */
export async function runTestFile(file: string, options: TestFileOptions): Promise<TestOutcome[]> {
	const outcomes: TestOutcome[] = [];
	const environment = { ...process.env };
	const mocks = new Map<string, NodeModule | undefined>();
	const observe = observer(options, outcomes);
	circus.resetState();
	circus.getState().testTimeout = TEST_TIMEOUT_MS;
	circus.addEventHandler(observe);
	installGlobals(file, mocks);
	try {
		loadAgain(file);
		const { unhandledErrors } = await circus.run();
		if (unhandledErrors.length > 0) outcomes.push(failedOutside(unhandledErrors[0]!));
	} catch (error) {
		outcomes.push(failedOutside(error));
	} finally {
		circus.removeEventHandler(observe);
		MOCKER.restoreAllMocks();
		restore(mocks);
		process.env = environment;
	}
	return outcomes;
}

function failedOutside(error: unknown): TestOutcome {
	return { name: '', milliseconds: 0, error: textOf(error) };
}

function installGlobals(file: string, mocks: Map<string, NodeModule | undefined>): void {
	// With another seed, the property tests would try other values.
	configureGlobal({ seed: 1 });
	const { describe, test, beforeAll, beforeEach, afterAll, afterEach } = circus;
	const jest = {
		fn: MOCKER.fn.bind(MOCKER),
		spyOn: MOCKER.spyOn.bind(MOCKER),
		restoreAllMocks: MOCKER.restoreAllMocks.bind(MOCKER),
		mock: (name: string, make: () => unknown) => mockLibrary(name, make, mocks),
		requireActual: (name: string) => actualLibrary(name, mocks),
	};
	Object.assign(globalThis, {
		...{ describe, test, beforeAll, beforeEach, afterAll, afterEach, jest },
		expect: jestExpect,
	});
	const snapshotState = new SnapshotState(join(dirname(file), '__snapshots__', `${basename(file)}.snap`), {
		updateSnapshot: 'none',
		snapshotFormat: { escapeString: false, printBasicPrototype: false },
		rootDir: process.cwd(),
	});
	const state: Partial<ReturnType<typeof jestExpect.getState>> & { snapshotState: SnapshotState } = {
		snapshotState,
		testPath: file,
		suppressedErrors: [],
	};
	jestExpect.setState(state);
}

function mockLibrary(name: string, make: () => unknown, mocks: Map<string, NodeModule | undefined>): void {
	const path = require.resolve(name);
	mocks.set(path, require.cache[path]);
	const mocked = { id: path, filename: path, loaded: true, children: [], paths: [] };
	require.cache[path] = Object.defineProperty(mocked, 'exports', { get: make }) as unknown as NodeModule;
}

function actualLibrary(name: string, mocks: Map<string, NodeModule | undefined>): unknown {
	const path = require.resolve(name);
	return mocks.has(path) ? mocks.get(path)?.exports : createRequire(path)(path);
}

function restore(mocks: Map<string, NodeModule | undefined>): void {
	for (const [path, original] of mocks) {
		if (original) require.cache[path] = original;
		else delete require.cache[path];
	}
}

/** Chooses tests, and records their results. */
function observer(
	{ only, stopAtFailure, onStart }: TestFileOptions,
	outcomes: TestOutcome[],
): Circus.EventHandler {
	const names = new Map<Circus.TestEntry, string>();
	return (event: Circus.Event, state: Circus.State) => {
		if (event.name === 'run_start') {
			nameTests(state.rootDescribeBlock, names);
			for (const [test, name] of names) {
				if (only && !only.has(name)) test.mode = 'skip';
			}
			const [first] = names.values();
			if (first !== undefined) onStart?.(first);
		} else if (event.name === 'test_start') {
			jestExpect.setState({ currentTestName: titlesOf(event.test).join(' ') });
			onStart?.(names.get(event.test)!);
		} else if (event.name === 'test_done') {
			const outcome = outcomeOf(event.test, names.get(event.test)!);
			outcomes.push(outcome);
			if (outcome.error !== undefined && stopAtFailure) {
				for (const other of names.keys()) other.mode = 'skip';
			}
		}
	};
}

function outcomeOf({ errors, duration }: Circus.TestEntry, name: string): TestOutcome {
	const { suppressedErrors } = jestExpect.getState();
	jestExpect.setState({ suppressedErrors: [] });
	const [error] = [...errors, ...suppressedErrors].flat().filter((each) => each !== undefined);
	return {
		name,
		milliseconds: duration ?? 0,
		...(error === undefined ? {} : { error: textOf(error) }),
	};
}

function nameTests(block: Circus.DescribeBlock, names: Map<Circus.TestEntry, string>): void {
	const taken = new Set(names.values());
	for (const child of block.children) {
		if (child.type === 'describeBlock') {
			nameTests(child, names);
			continue;
		}
		const title = titlesOf(child).join(' › ');
		let name = title;
		for (let count = 2; taken.has(name); count++) name = `${title} (${count})`;
		taken.add(name);
		names.set(child, name);
	}
}

function titlesOf(test: Circus.TestEntry): string[] {
	const titles = [test.name];
	for (let block: Circus.DescribeBlock | undefined = test.parent; block?.parent; block = block.parent) {
		titles.unshift(block.name);
	}
	return titles;
}

function textOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
