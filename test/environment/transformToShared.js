/** Turns a module of n8n into one line that returns the copy which all suites of a worker share. See OneRealm.ts. */
module.exports = {
	process: () => ({ code: 'module.exports = requireShared(__filename);' }),
};
