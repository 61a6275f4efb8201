/** Returns the anchors that npm and GitHub give to the headings of a Markdown file. */
export function headingAnchors(markdown: string): string[] {
	return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}
