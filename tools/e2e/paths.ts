import { join } from 'node:path';

export const PACKAGE_NAME = 'n8n-nodes-inference-service';

export const ROOT_FOLDER = join(__dirname, '../..');
export const E2E_FOLDER = __dirname;
export const TEMPLATES_FOLDER = join(ROOT_FOLDER, 'templates');

/** n8n needs this version of Node, whichever version the machine has. */
export const NODE_PROGRAM = join(E2E_FOLDER, 'node_modules/node/bin/node');
export const N8N_PROGRAM = join(E2E_FOLDER, 'node_modules/n8n/bin/n8n');
