import { join } from 'node:path';

export const CONTRACT_FILE = join(__dirname, '..', 'contract', 'openapi.yaml');
/** Prism's own file, which is started directly, so that no shell is in between. */
export const PRISM = join(__dirname, 'node_modules/@stoplight/prism-cli/dist/index.js');
export const WIREMOCK_FOLDER = join(__dirname, 'node_modules/wiremock/build');
