import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import shown from '../../docs/images/shown.json';
import { codeText } from '../../tools/scripts/codeTexts';

const ROOT = join(__dirname, '../..');

const pictures = globSync('*.{png,webp}', { cwd: join(ROOT, 'docs/images') }).sort();

const TEXT = codeText(ROOT).replace(/\s+/g, ' ');

test('the texts that each picture shows are on record', () => {
	expect(Object.keys(shown)).toEqual(pictures);
});

test.each(Object.entries(shown))('every text of this project in %s is still in the code', (_, ofPicture) => {
	expect(ofPicture.filter((ofCode) => !TEXT.includes(ofCode))).toEqual([]);
});

test('every picture is used on a page', () => {
	const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })]
		.map((page) => readFileSync(join(ROOT, page), 'utf8'))
		.join('\n');
	expect(pictures.filter((picture) => !pages.includes(`images/${picture})`))).toEqual([]);
});
