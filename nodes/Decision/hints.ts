import type { INodeParameters, NodeHint } from 'n8n-workflow';

/** What a person has still to do before the node can run, or would want to know; the first of it. */
type Finding =
	| 'noQuestion'
	| 'id'
	| 'instructions'
	| 'options'
	| 'optionsTwice'
	| 'levels'
	| 'routeQuestion'
	| 'thresholds'
	| 'nothingUncertain'
	| 'nothing';

const MESSAGES: Array<Pick<NodeHint, 'message' | 'type'> & { finding: Finding }> = [
	{
		finding: 'noQuestion',
		type: 'warning',
		message: 'There is no question yet: add one',
	},
	{
		finding: 'id',
		type: 'warning',
		message: 'A question has no ID, or shares it with another: give each its own ID',
	},
	{
		finding: 'instructions',
		type: 'warning',
		message: 'A question is empty: fill in what the model should find out',
	},
	{
		finding: 'options',
		type: 'warning',
		message: 'A choice has no answer options, or one without a name: add the options to choose from',
	},
	{
		finding: 'optionsTwice',
		type: 'warning',
		message:
			"A choice has options in 'Answer Options' and in 'Answer Options with Descriptions': use one of them",
	},
	{
		finding: 'levels',
		type: 'warning',
		message: 'A score needs 2 to 10 levels, each with a description: add them, the lowest first',
	},
	{
		finding: 'routeQuestion',
		type: 'warning',
		message: "'Route by Question' names no question that is there: choose one of the list",
	},
	{
		finding: 'thresholds',
		type: 'warning',
		message: "'No Below' is higher than 'Yes at or Above': every item would fail",
	},
	{
		finding: 'nothingUncertain',
		type: 'info',
		message:
			"Only failed items go to the 'Uncertain' output so far: add a threshold to say how clear an answer must be",
	},
];

/** Shown in the editor. */
export const hints: NodeHint[] = [
	...MESSAGES.map(({ finding, ...hint }): NodeHint => ({
		...hint,
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ (${String(findingIn)})($parameter) === "${finding}" }}`,
	})),
	{
		message:
			'Quick decisions are in an alpha stage: the service may change or withdraw them. Long inputs cost accuracy, so send only what the questions are about.',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: '={{ $parameter["operation"] !== "evaluate" }}',
	},
	{
		message:
			"Items without a clear answer, and failed items with 'Continue', go to the 'Uncertain' output: connect it to a person or a review list",
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		// What the other hint says of this output is enough as long as no answer is uncertain.
		displayCondition: `={{ $parameter["operation"] === "route" && (${String(findingIn)})($parameter) !== "nothingUncertain" }}`,
	},
];

/**
 * Looks at stored parameters, where expressions are not resolved and count as given. Its source text is an expression, as that
 * of `outputsOf` is, and the same rules hold.
 */
function findingIn(parameters: INodeParameters): Finding {
	const read = (source: unknown, name: string): unknown => {
		try {
			return (source as Record<string, unknown>)[name];
		} catch {
			return undefined;
		}
	};
	const listOf = (source: unknown, collection: string, name: string): unknown[] => {
		const list = read(read(source, collection), name);
		return Array.isArray(list) ? Array.from(list) : [];
	};
	const isBlank = (value: unknown): boolean =>
		value === undefined || value === null || /^=?\s*$/.test(String(value));
	const isRoute = read(parameters, 'operation') === 'route';
	if (!isRoute && read(parameters, 'operation') === 'evaluate') return 'nothing';
	if (!isRoute && read(parameters, 'questionsSource') === 'json') return 'nothing';
	const stored = read(parameters, 'questions');
	const questions = stored === undefined ? [{ id: 'answer' }] : listOf(parameters, 'questions', 'question');
	if (questions.length === 0) return 'noQuestion';
	const ids = questions.map((question) => String(read(question, 'id')));
	if (questions.some((question) => isBlank(read(question, 'id'))) || new Set(ids).size < ids.length) {
		return 'id';
	}
	for (const question of questions) {
		if (isBlank(read(question, 'instructions'))) return 'instructions';
		const type = read(question, 'type');
		const hasNames = !/^=?[\s,]*$/.test(String(read(question, 'optionNames') ?? ''));
		if (type === 'choice' && hasNames) {
			if (listOf(question, 'options', 'option').length > 0) return 'optionsTwice';
		} else if (type === 'choice' && typeof read(question, 'options') !== 'string') {
			const options = listOf(question, 'options', 'option');
			if (options.length === 0 || options.some((option) => isBlank(read(option, 'name')))) return 'options';
		}
		if (type === 'score' && typeof read(question, 'levels') !== 'string') {
			const levels = listOf(question, 'levels', 'level');
			const isComplete = levels.every((level) => !isBlank(read(level, 'description')));
			if (levels.length < 2 || levels.length > 10 || !isComplete) return 'levels';
		}
	}
	if (!isRoute) return 'nothing';
	const id = read(parameters, 'routeQuestion');
	const routed = isBlank(id) ? questions[0] : questions.find((question) => read(question, 'id') === id);
	if (routed === undefined) return 'routeQuestion';
	const threshold = (name: string, absent: number): unknown =>
		read(read(parameters, 'routing'), name) ?? absent;
	const type = read(routed, 'type');
	if (type === 'choice' || type === 'score') {
		return threshold('minConfidence', 0) === 0 ? 'nothingUncertain' : 'nothing';
	}
	const yesAtLeast = threshold('yesAtLeast', 0.5);
	const noBelow = threshold('noBelow', 0.5);
	if (typeof yesAtLeast !== 'number' || typeof noBelow !== 'number') return 'nothing';
	if (noBelow > yesAtLeast) return 'thresholds';
	return noBelow === yesAtLeast ? 'nothingUncertain' : 'nothing';
}
