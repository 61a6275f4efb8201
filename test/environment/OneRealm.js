const vm = require('node:vm');

const { TestEnvironment } = require('jest-environment-node');

/** Stands for the context of the process, which jest cannot be given: it asks for a context that vm.createContext() made. */
const processContext = vm.createContext({});

const { compileFunction } = vm;
vm.compileFunction = (code, params, options) =>
	compileFunction(code, params, {
		...options,
		parsingContext: options?.parsingContext === processContext ? undefined : options?.parsingContext,
	});

/** Loads a module as Node.js does, and not as jest does. See transformToShared.js. */
globalThis.requireShared = require;

/**
 * Runs all suites of a worker in the context of its process, where n8n is loaded once and not for each suite: that took a third of
 * the time. In a context of its own, as is jest's default, a suite would have other classes `Error` and `Array` than that n8n.
 * So a suite that changes something global has to change it back.
 */
module.exports = class OneRealm extends TestEnvironment {
	global = globalThis;

	getVmContext() {
		return processContext;
	}
};
