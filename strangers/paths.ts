import { join } from 'node:path';

export const CONTRACT_FILE = join(__dirname, '..', 'contract', 'openapi.yaml');
/** Starts Prism; a file of the package, so that no shell stands between. */
export const PRISM = join(__dirname, 'node_modules/@stoplight/prism-cli/dist/index.js');
export const WIREMOCK_FOLDER = join(__dirname, 'node_modules/wiremock/build');
