import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Templates cannot import anything, so code that several of them need is kept here once, and put into each. */
const FOLDER = join(__dirname, '../../templates');
const CODE_FOLDER = join(FOLDER, 'code');
/** What stands above this line belongs to one template, what stands below it is the same in all. */
const MARK = '// ---- What follows is the same in all templates ----\n';

interface Template {
	nodes: Array<{ name: string; type: string; parameters: Record<string, unknown> }>;
}

const readCode = (name: string) => readFileSync(join(CODE_FOLDER, `${name}.js`), 'utf8');

/**
 * Puts other files in place of the lines that name them, such as `//= unzip`. A line such as `//= unzip if PACKED` is left out of
 * templates whose own code has no constant of that name.
 */
function withParts(code: string, own: string): string {
	return code.replaceAll(/^\/\/= (\S+)(?: if (\w+))?\n/gm, (_, part: string, constant?: string) =>
		constant === undefined || own.includes(`const ${constant} =`) ? withParts(readCode(part), own) : '',
	);
}

/** Returns a template with the shared code in its Code nodes. A node gets the file that has its name. */
export function withSharedCode(template: string): string {
	const shared = new Set(readdirSync(CODE_FOLDER).map((file) => file.replace(/\.js$/, '')));
	let text = template;
	for (const { name, type, parameters } of (JSON.parse(template) as Template).nodes) {
		const file = name.toLowerCase().replaceAll(' ', '-');
		if (type !== 'n8n-nodes-base.code' || !shared.has(file)) continue;
		const code = String(parameters.jsCode);
		const own = code.includes(MARK) ? code.slice(0, code.indexOf(MARK)) + MARK : '';
		const body = withParts(readCode(file), own);
		text = text.replace(`"jsCode": ${JSON.stringify(code)}`, () => `"jsCode": ${JSON.stringify(own + body)}`);
	}
	return text;
}

export const templatePaths = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json'))
	.map((file) => join(FOLDER, file));
