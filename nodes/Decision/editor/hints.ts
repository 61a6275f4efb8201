import type { NodeHint } from 'n8n-workflow';

import { fixedTextHints } from '../../shared/fields/fixedTextHint';
import { callOf, type StoredDecision, type StoredQuestion } from './storedDecision';

/** While a setting is like one of these, the node cannot run. */
const WARNINGS = {
	noQuestion: 'There is no question yet: add one',
	id: 'A question has no ID, or shares it with another: give each its own ID',
	instructions: 'A question is empty: fill in what the model should find out',
	options: 'A choice has no answer options, or one without a name: add the options to choose from',
	tags: 'A question with tags has no answer options, or one without a name: add the options that may apply',
	levels: 'A score needs 2 to 10 levels, each with a description: add them, the lowest first',
	expression:
		"With 'Route', IDs, answer options and levels must be fixed values, because they decide the outputs: replace the expression",
	routeQuestion: "'Route by Question' doesn't match a question: choose one from the list",
	thresholds: "'No Below' is higher than 'Yes at or Above': every item would fail",
};

/** Hints about settings that work, but may not do what a person expects. */
const REMARKS = {
	oneOption: 'A choice with one option gives it to every item: add the others, or one for everything else',
	listedTags: "An option's name holds several names, which are judged as one: give each its own entry",
	numberedLevels:
		"The number in the answer counts the levels from 0, whatever their names are: for your own numbers, use the field that ends in '_level'",
	fallingLevels:
		'The first level is the lowest: its number in the answer is 0, whatever its name says. If it is meant as the highest, list the levels the other way round.',
	sameButCase:
		'Two options or levels differ only in upper and lower case, so they are hard to tell apart: rename one',
	sameQuestion:
		'Two questions differ only in their IDs, so they get the same answer: change one, or delete it',
	sameDescription: 'Two options have the same description, so they are hard to tell apart: change one',
	nothingUncertain:
		"Without a threshold, every answer counts as clear. Add 'Minimum Confidence' for a choice or a score, for example 0.7; for yes or no and for tags, add 'Yes at or Above', for example 0.7, and 'No Below', for example 0.3.",
	idleThreshold:
		"The threshold that is set has no effect on the question that chooses the output. 'Minimum Confidence' is for a choice or a score; 'Yes at or Above' and 'No Below' are for yes or no and for tags. Add the one that fits, or choose another question under 'Route by Question'.",
};

/** At a rate limit of 500 requests a minute, more items than this take longer than a minute. */
const MAX_ITEMS_WITHOUT_HINT = 500;

export const hints: NodeHint[] = [
	// With 'always', a warning is also visible above the output of an earlier run, while a person changes the node.
	...hintsOf(WARNINGS, 'warning', 'always'),
	...hintsOf(REMARKS, 'info', 'beforeExecution'),
	...fixedTextHints,
	{
		// The editor knows the number of items once the previous node has run. It shows this hint during the run too.
		message: `More than ${MAX_ITEMS_WITHOUT_HINT} items. n8n shows no progress while a node runs, but its log shows the time left. 'Many rows' in the node's docs explains how to see progress here, and how to estimate time and tokens.`,
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ $parameter["operation"] !== "evaluate" && $input.all().length > ${MAX_ITEMS_WITHOUT_HINT} }}`,
	},
];

function hintsOf(
	messages: Record<string, string>,
	type: NodeHint['type'],
	whenToDisplay: NodeHint['whenToDisplay'],
): NodeHint[] {
	return Object.entries(messages).map(([finding, message]) => ({
		message,
		type,
		location: 'outputPane',
		whenToDisplay,
		displayCondition: `={{ ${callOf(findingIn)} === "${finding}" }}`,
	}));
}

/**
 * Returns the first finding that applies. A value given by an expression counts as filled in.
 * n8n evaluates this function's source text, so it must use nothing outside it.
 */
function findingIn(stored: StoredDecision): keyof typeof WARNINGS | keyof typeof REMARKS | 'nothing' {
	const { operation, questions, routeQuestion, thresholds, spotCheck } = stored;
	if (stored.isJson || operation === 'evaluate') return 'nothing';
	if (questions.length === 0) return 'noQuestion';
	const ids = questions.map(({ id }) => id);
	if (ids.includes('') || new Set(ids.map((id) => id.normalize())).size < ids.length) return 'id';
	for (const { type, instructions, entries, hasOpenEntries } of questions) {
		if (instructions === '') return 'instructions';
		const isComplete = hasOpenEntries || (type.isEnough(entries) && !entries.includes(''));
		if (!isComplete) return type.finding;
	}
	const isOnlyOption = ({ type, entries, hasOpenEntries }: StoredQuestion) =>
		type.value === 'choice' && entries.length === 1 && !hasOpenEntries && !entries[0]!.startsWith('=');
	const isList = ({ type, entries, hasOpenEntries }: StoredQuestion) =>
		type.value === 'tags' &&
		entries.length === 1 &&
		!hasOpenEntries &&
		/^[^=].*[,，、،;；؛]/.test(entries[0]!);
	// A dot or a comma before three digits is one between thousands.
	const numberOf = (level: string): number => {
		const [digits] = /^[-+]?\d+([.,]\d+)*/.exec(level) ?? ['none'];
		return Number(digits.replace(/[.,](?=\d\d\d(\D|$))/g, '').replace(',', '.'));
	};
	const areFalling = ({ type, entries }: StoredQuestion) => {
		const numbers = entries.map(numberOf);
		const isLess = (number: number, index: number) => index === 0 || number < numbers[index - 1]!;
		return type.value === 'score' && numbers.length > 1 && numbers.every(isLess);
	};
	const areNumbered = ({ type, entries }: StoredQuestion) => {
		const numbers = entries.map(numberOf);
		const isOwn = (number: number, index: number) => number !== index;
		return type.value === 'score' && !numbers.some(Number.isNaN) && numbers.some(isOwn);
	};
	const sizeOf = (texts: string[]) => new Set(texts).size;
	const differByCase = ({ entries }: StoredQuestion) =>
		sizeOf(entries.map((entry) => entry.toLowerCase())) < sizeOf(entries);
	const haveSameDescription = ({ descriptions }: StoredQuestion) => {
		const given = descriptions.filter((text) => text !== '');
		return sizeOf(given) < given.length;
	};
	// Entries that an expression gives all at once are not known here.
	const asked = questions
		.filter(({ hasOpenEntries }) => !hasOpenEntries)
		.map(({ storedType, instructions, entries, descriptions }) =>
			JSON.stringify([storedType, instructions, entries, descriptions]),
		);
	const remark = questions.some(isOnlyOption)
		? 'oneOption'
		: questions.some(isList)
			? 'listedTags'
			: questions.some(areFalling)
				? 'fallingLevels'
				: questions.some(areNumbered)
					? 'numberedLevels'
					: questions.some(differByCase)
						? 'sameButCase'
						: questions.some(haveSameDescription)
							? 'sameDescription'
							: sizeOf(asked) < asked.length
								? 'sameQuestion'
								: 'nothing';
	if (operation !== 'route') return remark;
	const isOpen = questions.some(
		({ id, entries, hasOpenEntries }) =>
			hasOpenEntries || [id].concat(entries).some((text) => text.startsWith('=')),
	);
	if (stored.hasOpenQuestions || isOpen) return 'expression';
	const routed = routeQuestion === '' ? questions[0] : questions.find(({ id }) => id === routeQuestion);
	if (routed === undefined) return 'routeQuestion';
	const { yesAtLeast, noBelow, minConfidence } = thresholds;
	const { isByProbability } = routed.type;
	// Thresholds may be expressions, which nobody can compare here.
	const areKnown = typeof yesAtLeast === 'number' && typeof noBelow === 'number';
	if (isByProbability && areKnown && noBelow > yesAtLeast) return 'thresholds';
	const needsNone = routed.minConfidences.concat(undefined).every((own) => (own ?? minConfidence) === 0);
	// Equal thresholds that a person has set are a decision. Without any, both are 0.5.
	const isHalf = noBelow === 0.5 && yesAtLeast === 0.5;
	if (!(isByProbability ? isHalf : needsNone) || spotCheck !== 0) return remark;
	const isOtherSet = isByProbability ? minConfidence !== 0 : !isHalf;
	return isOtherSet ? 'idleThreshold' : 'nothingUncertain';
}
