import type { Selection } from './Coverage';
import type { TestReply } from './messages';
import type { Mutant } from './Mutant';
import type { Result } from './Results';
import { WorkerLost, type Worker } from './Worker';

// Five times what the tests took, and half a minute more than jest gives a single one.
const LIMIT_FACTOR = 5;
const LIMIT_BASE_MS = 50_000;

/** How jest-circus reports a test that ran longer than it may. */
const TIMEOUT = 'Exceeded timeout';

const LONGEST_NOTE = 300;

/** Tests that did not end, so that their process was stopped. */
const HUNG = 'hung';

/**
 * Runs the tests that enter a mutant until one notices it. That one must pass without the mutant, and fail with it once
 * more, as must one that hangs.
 * @param text of the mutant's file
 */
export async function tryMutant(
	{ file }: Mutant,
	text: string,
	selections: Selection[],
	worker: Worker,
): Promise<Result> {
	if (selections.length === 0) return { status: 'survived', note: 'no test enters it' };
	let isUnstable = false;
	for (const selection of selections) {
		const first = await runTests(selection, worker, { file, text });
		if (first !== HUNG && !first.failed) continue;
		const confirmed = await confirm(first, selection, worker, { file, text });
		if (confirmed) return confirmed;
		isUnstable = true;
	}
	return { status: isUnstable ? 'unstable' : 'survived' };
}

async function confirm(
	first: TestReply | typeof HUNG,
	{ testFile, only, milliseconds }: Selection,
	worker: Worker,
	replaced: { file: string; text: string },
): Promise<Result | undefined> {
	const name = first === HUNG ? '' : first.failed!.name;
	const noticing = { testFile, only: name === '' ? only : [name], milliseconds };
	let without = await runTests(noticing, worker);
	if (without === HUNG || without.failed) {
		// What the mutant left behind in the process may be in the way.
		worker.stop();
		without = await runTests(noticing, worker);
	}
	if (without === HUNG || without.failed) return undefined;
	const second = await runTests(noticing, worker, replaced);
	const by = { testFile, name: noticing.only[0]! };
	if (second === HUNG) return { status: 'timed out', by };
	if (!second.failed) return undefined;
	const { error = '' } = second.failed;
	return {
		status: error.includes(TIMEOUT) ? 'timed out' : 'killed',
		by,
		note: error.slice(0, LONGEST_NOTE),
	};
}

async function runTests(
	{ testFile, only, milliseconds }: Selection,
	worker: Worker,
	replaced?: { file: string; text: string },
): Promise<TestReply | typeof HUNG> {
	try {
		return await worker.test({ testFile, only, replaced }, LIMIT_BASE_MS + LIMIT_FACTOR * milliseconds);
	} catch (error) {
		if (error instanceof WorkerLost) return HUNG;
		throw error;
	}
}
