import { FORGOTTEN_AFTER_MS, Limiter, type LimiterParts, type Waiting } from './Limiter';

/** What a limit of the service applies to. */
export interface LimitScope {
	baseUrl: string;
	apiKey: string;
	/** The model of the request; for one that has none, the endpoint. */
	modelOrEndpoint: string;
}

interface LimiterRegistryParts extends Omit<LimiterParts, 'onWaiting'> {
	/** Told of the waits of every limiter, with what it is for. */
	onWaiting?: (waiting: Waiting, scope: Omit<LimitScope, 'apiKey'>) => void;
}

/** The limiters of a process: one for all that share a base URL, a key and a model. */
export class LimiterRegistry {
	private readonly limiters = new Map<string, Limiter>();

	/** Those that a client may still hold, so that there are never two of one scope. */
	private readonly forgotten = new Map<string, WeakRef<Limiter>>();

	constructor(private readonly parts: LimiterRegistryParts) {}

	/** Limiters that are remembered. */
	get size(): number {
		return this.limiters.size;
	}

	/** The limiter of the scope. One that has not been used for ten minutes is forgotten, and created again. */
	async limiterFor(scope: LimitScope): Promise<Limiter> {
		const key = await hashOf(scope);
		this.forgetUnused();
		let limiter = this.limiters.get(key) ?? this.forgotten.get(key)?.deref();
		if (limiter) this.limiters.set(key, limiter);
		else {
			const { onWaiting, ...parts } = this.parts;
			const { apiKey: _secret, ...place } = scope;
			limiter = new Limiter({ ...parts, onWaiting: (waiting) => onWaiting?.(waiting, place) });
			this.limiters.set(key, limiter);
		}
		this.forgotten.delete(key);
		return limiter;
	}

	private forgetUnused(): void {
		const oldestMs = this.parts.clock.now() - FORGOTTEN_AFTER_MS;
		for (const [key, limiter] of this.limiters) {
			if (limiter.unusedSinceMs > oldestMs) continue;
			this.limiters.delete(key);
			this.forgotten.set(key, new WeakRef(limiter));
		}
		for (const [key, limiter] of this.forgotten) if (!limiter.deref()) this.forgotten.delete(key);
	}
}

/** The key of the credential must not be kept in clear. */
async function hashOf({ baseUrl, apiKey, modelOrEndpoint }: LimitScope): Promise<string> {
	const text = new TextEncoder().encode(JSON.stringify([baseUrl, apiKey, modelOrEndpoint]));
	const digest = await crypto.subtle.digest('SHA-256', text);
	return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
