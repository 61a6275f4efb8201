const { TestEnvironment } = require('jest-environment-node');

/** What jest keeps of a suite among the globals. */
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
		// Otherwise the next suite would report to this one, too.
		for (const key of Object.getOwnPropertySymbols(globalThis)) {
			if (OF_SUITE.includes(key.description)) delete globalThis[key];
		}
	}
};
