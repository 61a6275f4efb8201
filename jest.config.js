/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
	setupFiles: ['<rootDir>/test/quietEngine.js'],
	testTimeout: 20_000,
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.tmp-'],
};
