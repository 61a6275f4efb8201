const { TestEnvironment } = require('jest-environment-node');

// A worker that has run many suites takes longer to free its memory than the 500 ms that jest waits for its end, and jest
// then reports a leak. So the memory is left to the operating system. The exit code of jest itself is set only at its end.
if (/jest-worker/.test(process.argv[1])) process.once('exit', () => process.exit());

const OF_SUITE = ['EVENT_HANDLERS', 'JEST_STATE_SYMBOL'];

/** Tests run in the context of the process, with the libraries that `SharedLibraries` loads there. */
module.exports = class ProcessEnvironment extends TestEnvironment {
	constructor(...parts) {
		super(...parts);
		this.global = globalThis;
		this.console = console;
		this.exit = process.exit;
	}

	async teardown() {
		await super.teardown();
		globalThis.console = this.console;
		process.exit = this.exit;
		// Otherwise the next suite reports to this one, too.
		for (const key of Object.getOwnPropertySymbols(globalThis)) {
			if (OF_SUITE.includes(key.description)) delete globalThis[key];
		}
	}
};
