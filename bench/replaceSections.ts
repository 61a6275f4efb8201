const SECTION_START = /^(?=## \d+\. )/m;

/**
 * A document of results with some of its sections replaced by new ones, or added in the order of their numbers.
 * @param document Markdown; each section begins with a heading such as `## 4. Title`
 * @param sections Markdown of the same form
 */
export function replaceSections(document: string, sections: string[]): string {
	const [head = '', ...old] = document.split(SECTION_START).map((part) => part.trimEnd());
	const byNumber = new Map([...old, ...sections].map((section) => [numberOf(section), section.trimEnd()]));
	const inOrder = [...byNumber].sort(([one], [other]) => one - other).map(([, section]) => section);
	return `${[head, ...inOrder].join('\n\n')}\n`;
}

function numberOf(section: string): number {
	return Number(/^## (\d+)\./.exec(section)?.[1]);
}
