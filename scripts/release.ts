import path from 'node:path';

import { Checklist } from './Checklist';
import { findOtherVersions, findPlaceholders } from './releaseCheck';

const PROJECT_ROOT = path.resolve(__dirname, '..');

/** Whether this tree can be released, under the tag that is given, if any. */
async function main([tag]: string[]): Promise<void> {
	const checklist = new Checklist();
	await checklist.check('nothing is left to be filled in', () => ({
		findings: findPlaceholders(PROJECT_ROOT),
	}));
	await checklist.check('the changelog and the tag have the version of package.json', () => ({
		findings: findOtherVersions(PROJECT_ROOT, tag),
	}));
	checklist.finish();
}

void main(process.argv.slice(2));
