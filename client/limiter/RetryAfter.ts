/** Less says nothing. */
const LEAST_MS = 250;

/** How far the service's `Retry-After` can be trusted. */
export class RetryAfter {
	private kept = 0;

	private broken = 0;

	/** The milliseconds that the service told, where they say something. */
	static read(toldMs: number | undefined): number | undefined {
		return toldMs !== undefined && toldMs < LEAST_MS ? undefined : toldMs;
	}

	get isTrusted(): boolean {
		return this.broken <= this.kept;
	}

	/** A probe at the time that the service had told got through. */
	wasKept(): void {
		this.kept++;
	}

	/** It was refused. */
	wasBroken(): void {
		this.broken++;
	}
}
