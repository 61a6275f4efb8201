/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	rootDir: __dirname,
	roots: ['<rootDir>/tests'],
	testMatch: ['**/*.test.ts'],
	transform: {
		'^.+\\.[tj]s$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
	// The emulator's model loads this library, which jest can only load as CommonJS.
	transformIgnorePatterns: ['/node_modules/(?!stemmer/)'],
	testTimeout: 150_000,
	// Each file has its own browser and emulator.
	maxWorkers: 2,
};
