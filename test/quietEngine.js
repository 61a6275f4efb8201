// The engine logs every failing node to the console, and the tests make many fail.
process.env.N8N_LOG_LEVEL = 'silent';
