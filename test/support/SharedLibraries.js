const { isBuiltin } = require('node:module');
const { compileFunction } = require('node:vm');

const { default: Runtime } = require('jest-runtime');

/**
 * Jest loads each library again for each suite, which takes two seconds for n8n's engine. Here Node loads it, once for all
 * suites of a process. Everything else is loaded as ever, but into the context of the libraries instead of a new one: where
 * there are two classes `Error`, an error of one is none of the other. `ProcessEnvironment` gives it the globals.
 */
module.exports = class SharedLibraries extends Runtime {
	constructor(...parts) {
		super(...parts);
		const { executor } = this;
		executor.compile = (source, filename) =>
			compileFunction(source, executor.injectedModuleParameters, { filename });
	}

	requireModule(from, name, options, ...others) {
		const isOfJest = options?.isInternalModule;
		const path = name && !isOfJest && !isBuiltin(name) && this._resolution.resolveCjs(from, name);
		return path && path.includes('node_modules')
			? require(path)
			: super.requireModule(from, name, options, ...others);
	}
};
