import { readFileSync } from 'node:fs';

/** A line of a comment, without the marks around its text. */
const COMMENT_LINE = /^\s*(?:\/\/|\/\*+|\*\/?)\s*(.*?)(?:\s*\*\/)?$/;

const CODE = /`[^`]*`/g;

/** The comments of a TypeScript file that begin a line, without the code in them. Adjacent lines are one text. */
export function sourceComments(file: string): Array<{ line: number; text: string }> {
	const comments: Array<{ line: number; text: string }> = [];
	let end = -1;
	for (const [index, row] of readFileSync(file, 'utf8').split('\n').entries()) {
		const text = COMMENT_LINE.exec(row)?.[1]?.replace(CODE, '`…`');
		if (text === undefined) continue;
		const comment = comments.at(-1);
		if (comment && index === end + 1) comment.text += ` ${text}`;
		else comments.push({ line: index + 1, text });
		end = index;
	}
	return comments;
}
