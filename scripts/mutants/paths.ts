import { join, resolve } from 'node:path';

export const ROOT = resolve(__dirname, '..', '..');

/** What is kept between runs. */
export const CACHE = join(ROOT, '.cache', 'mutants');

export const REPORT = join(ROOT, 'test', 'MUTANTS.md');
