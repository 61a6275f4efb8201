import type { CertainType } from './evaluatedFields';
import type { Pause } from '../../shared/run/yieldRegularly';
import type { Row } from './Row';
import { YES } from './types/noulReader';

export interface CalibrationBin {
	/** Holds the lower end of the bin: exclusive, except in the first bin. */
	from: number;
	/** Holds the upper end of the bin: inclusive. */
	to: number;
	count: number;
	/** Holds the mean confidence of the answers, or for `noul` the mean probability of yes. It is null if the bin is empty. */
	predicted: number | null;
	/**
	 * Holds the share of the answers that are correct, or for `noul` the share of expected answers that are yes. It is null if
	 * the bin is empty.
	 */
	observed: number | null;
}

const BIN_COUNT = 10;

/**
 * Compares confidence with the share of correct answers, in ten bins of equal width. Rows without a confidence are left out.
 * @see C. Guo et al., "On Calibration of Modern Neural Networks", ICML 2017, section 2, for confidence; A. Niculescu-Mizil
 * and R. Caruana, "Predicting Good Probabilities with Supervised Learning", ICML 2005, for a probability of yes
 */
export async function measureCalibration(
	rows: Row[],
	answerType: CertainType,
	pause: Pause,
): Promise<CalibrationBin[]> {
	const bins = Array.from({ length: BIN_COUNT }, () => ({ count: 0, predicted: 0, observed: 0 }));
	for (const row of rows) {
		await pause();
		const predicted = answerType === 'noul' ? row.probability : row.confidence;
		if (predicted === null) continue;
		const bin = bins[Math.max(0, Math.ceil(predicted * BIN_COUNT) - 1)]!;
		bin.count += 1;
		bin.predicted += predicted;
		if (answerType === 'noul' ? row.expected === YES : row.answer === row.expected) bin.observed += 1;
	}
	return bins.map(({ count, predicted, observed }, index) => ({
		from: index / BIN_COUNT,
		to: (index + 1) / BIN_COUNT,
		count,
		predicted: count === 0 ? null : predicted / count,
		observed: count === 0 ? null : observed / count,
	}));
}
