import { Emulator, type EmulatorOptions } from '../emulator/Emulator';
import { repeatSoon } from './repeatSoon';

/**
 * One emulator for the tests of a file, or of a `describe`: it starts before all of them, forgets everything after each, and
 * closes after all. Each test has its own key, and so its own limiters: what one test learns about a rate limit does not
 * slow another. A test that leaves a request unanswered fails. Repeated requests wait as briefly as possible. The returned
 * object represents the emulator, and can be used from the first `beforeAll` on.
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
		// A request that a test leaves unanswered would count in the next test.
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
