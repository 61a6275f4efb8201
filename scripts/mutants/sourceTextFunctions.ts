import ts from 'typescript';

const GIVES_SOURCE_TEXT = new Set(['String', 'callOf', 'expressionOf']);

/** The functions of a file whose source text is part of the product, as in `expressionOf(outputsOf)`. */
export function sourceTextFunctions(sourceFile: ts.SourceFile): ReadonlySet<ts.Node> {
	const names = new Set<string>();
	const collect = (node: ts.Node): void => {
		if (ts.isCallExpression(node) && GIVES_SOURCE_TEXT.has(node.expression.getText(sourceFile))) {
			const [argument] = node.arguments;
			if (argument && ts.isIdentifier(argument)) names.add(argument.text);
		}
		ts.forEachChild(node, collect);
	};
	collect(sourceFile);
	const isNamed = (node: ts.Statement): boolean =>
		ts.isFunctionDeclaration(node) && names.has(node.name?.text ?? '');
	return new Set(sourceFile.statements.filter(isNamed));
}
