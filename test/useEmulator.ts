import { Emulator, type EmulatorOptions } from '../emulator/Emulator';
import { repeatSoon } from './repeatSoon';

/**
 * One emulator for the tests of a file, or of a `describe`: it starts before all of them, forgets everything after each,
 * and closes after all. Each test has a key of its own, and so limiters of its own: what one learns of a rate limit slows no
 * other. A test that leaves a request unanswered fails. Repeated requests wait as briefly as they may. What is returned stands for the emulator, and may be used from the
 * first `beforeAll` on.
 */
export function useEmulator(options?: EmulatorOptions): Emulator {
	let emulator: Emulator | undefined;
	let firstKey = '';
	let tests = 0;
	beforeAll(async () => {
		emulator = await Emulator.start(options);
		firstKey = emulator.apiKey;
	});
	beforeEach(() => {
		if (emulator) emulator.apiKey = `${firstKey}-${++tests}`;
		repeatSoon();
	});
	afterEach(async () => {
		jest.restoreAllMocks();
		// What a test leaves unanswered would count in the next.
		await emulator?.waitFor(() => emulator?.inFlight === 0);
		emulator?.reset();
	});
	afterAll(async () => await emulator?.close());
	const started = (): Emulator => {
		if (!emulator) throw new Error('The emulator starts only before the first test');
		return emulator;
	};
	return new Proxy({} as Emulator, {
		get: (_, name) => {
			const value: unknown = Reflect.get(started(), name);
			return typeof value === 'function' ? (value.bind(emulator) as unknown) : value;
		},
		set: (_, name, value) => Reflect.set(started(), name, value),
	});
}
