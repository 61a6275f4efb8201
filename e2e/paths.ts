import { join } from 'node:path';

export const packageName = 'n8n-nodes-inference-service';

export const rootFolder = join(__dirname, '..');
export const e2eFolder = __dirname;
export const templatesFolder = join(rootFolder, 'templates');

/** Node in the version that n8n wants, whatever the machine has. */
export const nodeProgram = join(e2eFolder, 'node_modules/node/bin/node');
export const n8nProgram = join(e2eFolder, 'node_modules/n8n/bin/n8n');
