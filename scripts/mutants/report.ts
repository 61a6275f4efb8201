import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { EQUIVALENTS } from './equivalents';
import { describeMutant, type Mutant } from './Mutant';
import { REPORT } from './paths';
import type { Result } from './Results';

/** A mutant that compiles, and what became of it. */
export interface TriedMutant {
	mutant: Mutant;
	result: Result;
}

interface Score {
	mutants: number;
	killed: number;
	timedOut: number;
	survived: number;
	/** Survivors that change nothing. */
	equivalent: number;
}

type Scores = Record<string, Score>;

/** The scores of the first run, for comparison. */
const BASELINE = join(__dirname, 'baseline.json');

const INTRODUCTION = `# Mutants

\`npm run mutants\` puts one fault at a time into \`client/\`, \`nodes/\` and \`credentials/\`, and runs the tests that enter its place. A mutant is killed
when a test fails that passes without it, or hangs. Texts are left out, and so is what does not compile. What is undecided (it passes quick
tests, and the others were not run), or unstable (tests fail with it, and then without it), counts as survived. What changes nothing that
a test could notice is equivalent, and counts in no score; it is listed below, each with the reason.`;

/** The table by file, in Markdown. */
export async function writeReport(tried: TriedMutant[], sample: string): Promise<void> {
	const text = [
		INTRODUCTION,
		`The last run: ${sample}.`,
		tableOf(scoresOf(tried), baseline()),
		...listOf('## Survivors', tried, ({ id }) => !(id in EQUIVALENTS)),
		...listOf('## Equivalent mutants', tried, ({ id }) => id in EQUIVALENTS),
	].join('\n\n');
	writeFileSync(REPORT, await format(text, { ...(await resolveConfig(REPORT)), parser: 'markdown' }));
}

/** Keeps the scores as those to compare with later. */
export function writeBaseline(tried: TriedMutant[]): void {
	writeFileSync(BASELINE, `${JSON.stringify(scoresOf(tried), null, 2)}\n`);
}

export function isKilled({ status }: Result): boolean {
	return status === 'killed' || status === 'timed out';
}

/** In per cent, as it is shown. */
export function scoreOf(tried: TriedMutant[]): string {
	return percent(total(scoresOf(tried)));
}

function baseline(): Scores {
	return existsSync(BASELINE) ? (JSON.parse(readFileSync(BASELINE, 'utf8')) as Scores) : {};
}

function scoresOf(tried: TriedMutant[]): Scores {
	const scores: Scores = {};
	for (const { mutant, result } of tried) {
		const score = (scores[mutant.file] ??= {
			mutants: 0,
			killed: 0,
			timedOut: 0,
			survived: 0,
			equivalent: 0,
		});
		score.mutants++;
		if (result.status === 'killed') score.killed++;
		else if (result.status === 'timed out') score.timedOut++;
		else if (mutant.id in EQUIVALENTS) score.equivalent++;
		else score.survived++;
	}
	return scores;
}

function tableOf(scores: Scores, before: Scores): string {
	const files = Object.keys(scores).toSorted();
	const row = (name: string, score: Score, earlier: Score | undefined) =>
		`| ${[name, score.mutants, score.killed, score.timedOut, score.survived, score.equivalent, earlier ? percent(earlier) : '', percent(score)].join(' | ')} |`;
	return [
		'| file | mutants | killed | timed out | survived | equivalent | score before | score |',
		'| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
		row('**all**', total(scores), Object.keys(before).length > 0 ? total(before) : undefined),
		...files.map((file) => row(`\`${file}\``, scores[file]!, before[file])),
	].join('\n');
}

function listOf(title: string, tried: TriedMutant[], isListed: (mutant: Mutant) => boolean): string[] {
	const listed = tried.filter(({ mutant, result }) => !isKilled(result) && isListed(mutant));
	if (listed.length === 0) return [];
	const lines = listed.map(({ mutant, result }) => {
		const status = result.status === 'survived' ? undefined : result.status;
		const reason = EQUIVALENTS[mutant.id] ?? result.note ?? status;
		return `- \`${describeMutant(mutant).replaceAll('`', "'")}\`${reason ? `: ${reason}` : ''}`;
	});
	return [title, lines.toSorted().join('\n')];
}

function total(scores: Scores): Score {
	const sum = (name: keyof Score) => Object.values(scores).reduce((all, score) => all + score[name], 0);
	return {
		mutants: sum('mutants'),
		killed: sum('killed'),
		timedOut: sum('timedOut'),
		survived: sum('survived'),
		equivalent: sum('equivalent'),
	};
}

function percent({ killed, timedOut, survived }: Score): string {
	const detected = killed + timedOut;
	return detected + survived > 0 ? `${((100 * detected) / (detected + survived)).toFixed(1)} %` : '';
}
