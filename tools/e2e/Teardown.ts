/** Stops and removes everything at the end, after a success, a failure or Ctrl-C. */
export class Teardown {
	private readonly steps: Array<{ name: string; step: () => Promise<void> | void }> = [];
	private running: Promise<void> | undefined;

	constructor() {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(signal, () => {
				void this.run().then(() => process.exit(signal === 'SIGINT' ? 130 : 143));
			});
		}
	}

	/** Says whether the teardown has begun. Nothing more should be started then. */
	get hasBegun(): boolean {
		return this.running !== undefined;
	}

	/** Registers a step. Steps run in reverse order. */
	add(name: string, step: () => Promise<void> | void): void {
		this.steps.push({ name, step });
	}

	/** Runs each step once. If a step fails, the others still run. */
	async run(): Promise<void> {
		this.running ??= this.runSteps();
		await this.running;
	}

	private async runSteps(): Promise<void> {
		for (let next = this.steps.pop(); next; next = this.steps.pop()) {
			try {
				await next.step();
			} catch (error) {
				console.error(`${next.name}:`, error);
			}
		}
	}
}
