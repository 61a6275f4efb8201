import { formatSubject } from '../../shared/fields/Field';
import { ParameterError } from '../../shared/fields/ParameterError';
import type { AnswerRule } from './AnswerRule';
import { THRESHOLD_FIELDS, type Thresholds } from './routingFields';

/** Places a probability above, below or between the thresholds, which are those for a yes and for a no. */
interface Band {
	isYes(probability: number): boolean;
	isNo(probability: number): boolean;
	/** Says whether a probability can be neither. */
	hasRoom: boolean;
	/** Returns the distance to the nearest threshold. */
	distanceOf(probability: number): number;
}

/** Returns what is said about a band in the hint. */
export function nearestProbability({ hasRoom }: Band): Pick<AnswerRule, 'canBeUncertain' | 'nearestText'> {
	return {
		canBeUncertain: hasRoom,
		nearestText: 'The probability nearest to a threshold was',
	};
}

/**
 * Makes the band between two thresholds.
 * @throws ParameterError if a probability could be both
 */
export function bandOf({ yesAtLeast, noBelow }: Thresholds): Band {
	if (noBelow > yesAtLeast) {
		const [no, yes] = (['noBelow', 'yesAtLeast'] as const).map((name) =>
			formatSubject(THRESHOLD_FIELDS[name].properties[0].displayName, `routing.${name}`),
		);
		throw new ParameterError(no!, `must not exceed ${yes}, but ${noBelow} is more than ${yesAtLeast}`);
	}
	return {
		isYes: (probability) => probability >= yesAtLeast,
		isNo: (probability) => probability < noBelow,
		hasRoom: noBelow < yesAtLeast,
		distanceOf: (probability) =>
			Math.min(Math.abs(probability - yesAtLeast), Math.abs(probability - noBelow)),
	};
}
