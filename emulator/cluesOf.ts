import { type Subject, subjectsNamed } from './Subject';
import { stem, stemsOf } from './termsOf';

const SAY_NOTHING = new Set(
	(
		'! ? a about after all also always am an and any anything are as ask asks at be because been before being belong but by can ' +
		'category client concern contact contain could customer d department desk did do does doing done email enquiry etc express for from ' +
		'general get gets getting give go got had handle has have having he help her here him his how i if in inquiry into is issue it ' +
		'its just kind let ll like m made make matter me mention message more most my need no not of off office on once one only or other ' +
		'our out over own people person please problem question re related request s said same say see sender she should so some ' +
		'something such support t team tell text than that the their them then there these they thing this those to tone too topic ' +
		'type under until up us use user ve very via want was way we well were what when where whether which while who whom will ' +
		'with within without would write writer yes yet you your service level speak describe'
	)
		.split(' ')
		.map(stem),
);

/** The terms of a text that speak for an option or a question, with their weights. */
export interface Clues {
	weights: Map<string, number>;
	/** The weight if no word speaks for any option. */
	otherwise: number;
}

/** What speaks for an option. Its own words count more than those of the subjects that it names. */
export function cluesOfOption(name: string, description: string): Clues {
	const weights = new Map<string, number>();
	const named = subjectsNamed(name);
	for (const subject of subjectsNamed(description)) add(weights, subject.weights, 0.35);
	for (const subject of named) add(weights, subject.weights, 1);
	addOwnWords(weights, description, 1);
	addOwnWords(weights, name, 1.5);
	return { weights, otherwise: Math.max(0, ...named.map((subject) => subject.otherwise)) };
}

/** What speaks for a yes to a question, and with a negative weight, for a no. */
export function cluesOfQuestion(instructions: string): Clues {
	const weights = new Map<string, number>();
	const [first, ...others] = subjectsNamed(instructions);
	for (const subject of others) add(weights, subject.weights, 0.3);
	addOwnWords(weights, instructions, first === undefined ? 0.8 : 0.35);
	if (first !== undefined) {
		for (const [term, weight] of first.opposite?.weights ?? []) weights.set(term, -0.7 * weight);
		add(weights, first.weights, 1);
	}
	return { weights, otherwise: 0 };
}

/** The sum of the weights of all terms that occur in a text. */
export function sumOf(weights: ReadonlyMap<string, number>, terms: ReadonlySet<string>): number {
	let sum = 0;
	for (const term of terms) sum += weights.get(term) ?? 0;
	return sum;
}

/** The subject that a scale is about, if the emulator knows it. */
export function subjectOfScale(instructions: string, levels: readonly string[]): Subject | undefined {
	return subjectsNamed(instructions)[0] ?? subjectsNamed(levels.at(-1) ?? '')[0];
}

function add(weights: Map<string, number>, more: ReadonlyMap<string, number>, factor: number): void {
	for (const [term, weight] of more) {
		weights.set(term, Math.max(weights.get(term) ?? 0, factor * weight));
	}
}

function addOwnWords(weights: Map<string, number>, text: string, weight: number): void {
	for (const word of stemsOf(text)) {
		if (!SAY_NOTHING.has(word)) weights.set(word, Math.max(weights.get(word) ?? 0, weight));
	}
}
