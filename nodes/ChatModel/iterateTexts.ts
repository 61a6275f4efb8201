interface Offer {
	text: string;
	taken: () => void;
}

/**
 * Turns a job that sends texts into an iteration over them. The job waits until its last text has been taken, and the
 * iteration returns its result.
 * @param work gets a signal that is aborted when the iteration is left early
 */
export async function* iterateTexts<Result>(
	work: (onText: (text: string) => Promise<void>, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<string, Result> {
	const left = new AbortController();
	let offer = nextOffer();
	const finished = work(async (text) => {
		await new Promise<void>((taken) => offer.make({ text, taken }));
	}, left.signal);
	const over = finished.then(() => undefined);
	try {
		for (;;) {
			const offered = await Promise.race([offer.made, over]);
			if (!offered) return await finished;
			offer = nextOffer();
			try {
				yield offered.text;
			} finally {
				offered.taken();
			}
		}
	} finally {
		left.abort();
		over.catch(() => {});
	}
}

function nextOffer(): { made: Promise<Offer>; make: (offer: Offer) => void } {
	let make: (offer: Offer) => void = () => {};
	const made = new Promise<Offer>((resolve) => {
		make = resolve;
	});
	return { made, make };
}
