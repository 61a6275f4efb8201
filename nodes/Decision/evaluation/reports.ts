import type { Figures } from './evaluateRows';

export type Report = 'summary' | 'classes' | 'thresholds' | 'confusion' | 'mistakes';

interface ReportItem {
	json: Record<string, unknown>;
	/** The input item it comes from, or all of them. */
	pairedItem: number | 'all';
}

/** An evaluation belongs to no single item, but n8n requires one. */
const FIRST_ITEM = 0;

/** The output items of a report. Those of `mistakes` hold only what is added to the input item they are paired with. */
export function reportItems(report: Report, figures: Figures): ReportItem[] {
	switch (report) {
		case 'summary':
			return [{ json: summarize(figures), pairedItem: 'all' }];
		case 'classes':
			return tableItems(figures.labels);
		case 'thresholds':
			return tableItems(figures.thresholds);
		case 'confusion':
			return tableItems(figures.confusion);
		case 'mistakes':
			return figures.mistakes.map(({ index, expected, answer, confidence }) => ({
				json: { evaluation: { expected, answer, confidence } },
				pairedItem: index,
			}));
	}
}

function summarize({ recommended, comparison, ...figures }: Figures): Record<string, unknown> {
	return {
		rows: figures.rows,
		skipped: figures.skipped,
		correct: figures.correct,
		accuracy: figures.accuracy,
		accuracy_low: figures.accuracyInterval.low,
		accuracy_high: figures.accuracyInterval.high,
		baseline: figures.baseline,
		recommended_threshold: recommended?.threshold ?? null,
		coverage: recommended?.coverage ?? null,
		coverage_accuracy: recommended?.accuracy ?? null,
		classes: figures.labels,
		thresholds: figures.thresholds,
		confusion: figures.confusion,
		calibration: figures.calibration,
		...(comparison ? { compared: comparison } : {}),
	};
}

function tableItems(rows: object[]): ReportItem[] {
	return rows.map((row) => ({ json: { ...row }, pairedItem: FIRST_ITEM }));
}
