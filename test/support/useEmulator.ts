import { Emulator, type EmulatorOptions } from '../../emulator/Emulator';
import { newProcessState, processState } from '../../nodes/shared/service/processState';
import { repeatSoon } from './repeatSoon';

/**
 * Starts one emulator for the tests of a file or of a `describe`. It is reset after each test, and closed after the last. For the
 * nodes, each test begins like a new process: no rate limit is known, and no answer is kept. A test that leaves a request
 * unanswered fails. Retries wait as briefly as possible. The returned object stands for the emulator, and can be used from the first
 * `beforeAll` on.
 */
export function useEmulator(options?: EmulatorOptions): Emulator {
	let emulator: Emulator | undefined;
	beforeAll(async () => {
		emulator = await Emulator.start(options);
	});
	beforeEach(() => {
		Object.assign(processState, newProcessState());
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
