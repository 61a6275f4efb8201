const { TestEnvironment } = require('jest-environment-node');

// A worker that has run many suites takes longer to free its memory than the 500 ms that jest waits for its end, and jest
// then reports a leak. So the memory is left to the operating system. The exit code of jest itself is set only at its end.
if (/jest-worker/.test(process.argv[1])) process.once('exit', () => process.exit());

module.exports = TestEnvironment;
