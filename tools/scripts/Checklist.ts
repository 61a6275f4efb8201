/** Describes the outcome of a check, which has passed if there are no findings. */
export interface Outcome {
	findings: string[];
	note?: string;
}

/** Runs checks one after the other, prints a line for each, and counts them. */
export class Checklist {
	private passed = 0;
	private failed = 0;

	async check(title: string, run: () => Outcome | Promise<Outcome>): Promise<void> {
		const { findings, note } = await outcomeOf(run);
		if (findings.length === 0) this.passed++;
		else this.failed++;
		console.log(`${findings.length === 0 ? 'ok  ' : 'FAIL'}  ${title}${note ? ` (${note})` : ''}`);
		for (const finding of findings) console.log(finding.replace(/^/gm, '      '));
	}

	/** Prints a line for a check that cannot run here. It counts as neither passed nor failed. */
	skip(title: string, reason: string): void {
		console.log(`skip  ${title} (${reason})`);
	}

	/** Prints the counts, and sets the exit code of the process. */
	finish(): void {
		console.log(`${this.passed} passed, ${this.failed} failed`);
		if (this.failed > 0) process.exitCode = 1;
	}
}

async function outcomeOf(run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
	try {
		return await run();
	} catch (error) {
		return { findings: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
	}
}
