/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/QuickExitEnvironment.js',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
	setupFiles: ['<rootDir>/test/quietEngine.js'],
	// On two cores jest would take one of them. Most tests wait for sockets and timers anyway.
	maxWorkers: '100%',
	testTimeout: 20_000,
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.tmp-'],
};
