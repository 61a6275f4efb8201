import type { TestOutcome } from './runTestFile';

/** What a worker is asked: to run tests of one file, and stop at the first that fails. */
export interface TestRequest {
	kind: 'test';
	/** Relative to the project. */
	testFile: string;
	/** The names of the tests to run; all when not given. */
	only?: string[];
	/** A file, relative to the project, and the source that takes its place. */
	replaced?: { file: string; text: string };
}

/** What a worker is asked: to run all tests of one file, and tell which regions each enters. */
export interface CoverRequest {
	kind: 'cover';
	testFile: string;
	/** The files whose regions count, in the order of their numbers. */
	files: string[];
}

export interface TestReply {
	/** The first test that failed. */
	failed?: TestOutcome;
	memoryBytes: number;
}

/** What a test did; regions are numbered as `regionKey` says. */
export interface CoveredTest extends TestOutcome {
	regions: number[];
}

export interface CoverReply {
	/** The regions entered while the file was loaded. */
	loaded: number[];
	tests: CoveredTest[];
}

const MOST_REGIONS = 10_000;

/** One number for a region of a file. */
export function regionKey(file: number, region: number): number {
	return file * MOST_REGIONS + region;
}

export function fileOfKey(key: number): number {
	return Math.floor(key / MOST_REGIONS);
}
