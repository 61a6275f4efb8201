// The engine logs every failing node to the console, and the tests make many fail. At the level "silent", n8n still makes every line,
// with a stack trace for its place, before it drops the line. So the level is "error", and n8n drops the lines of all scopes but one
// that does not exist, which it does only in JSON.
Object.assign(process.env, { N8N_LOG_LEVEL: 'error', N8N_LOG_FORMAT: 'json', N8N_LOG_SCOPES: 'none' });

const typescript = ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }];

/** @type {import('jest').Config} */
module.exports = {
	roots: ['<rootDir>/test'],
	testEnvironment: require.resolve('./test/environment/OneRealm.js'),
	transform: {
		'/node_modules/(n8n-.+|@n8n|@langchain|fastify|exceljs)/':
			'<rootDir>/test/environment/transformToShared.js',
		'^.+\\.ts$': typescript,
	},
	transformIgnorePatterns: [],
	// On two cores jest would take one of them. Most tests wait for sockets and timers, so three workers keep two cores busy. More
	// would only load n8n more often.
	maxWorkers: 3,
	// The longest test takes three seconds on a quiet machine. A machine may be far slower, and busy, and no test may fail by that.
	testTimeout: 120_000,
	// A worker that has run many suites takes a while to free its memory, longer on a busy machine. If it takes longer than this, jest
	// reports a leak.
	workerGracefulExitTimeout: 60_000,
};
