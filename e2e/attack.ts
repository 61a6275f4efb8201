import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { installPackage } from '../scripts/installPackage';
import { pack } from '../scripts/pack';
import { attackApproval } from './attacks/attackApproval';
import { attackBehindProxy } from './attacks/attackBehindProxy';
import { attackByWorkflows } from './attacks/attackByWorkflows';
import { attackCredential } from './attacks/attackCredential';
import { attackNetworkRules } from './attacks/attackNetworkRules';
import { Attacks } from './attacks/Attacks';
import { attackWithAnswers } from './attacks/attackWithAnswers';
import { attackWithTimeouts } from './attacks/attackWithTimeouts';
import { Teardown } from './Teardown';

const ATTACKS: Record<string, (attacks: Attacks) => Promise<void>> = {
	answers: attackWithAnswers,
	workflows: attackByWorkflows,
	approval: attackApproval,
	timeouts: attackWithTimeouts,
	credential: attackCredential,
	network: attackNetworkRules,
	proxy: attackBehindProxy,
};

const USAGE = `Usage: npm run attack -- [options] [${Object.keys(ATTACKS).join(' ')}]
  --tarball F   attack this tarball, instead of packing the tree
  --keep        leave the temporary folder, with n8n's logs, when done`;

async function main(teardown: Teardown): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			tarball: { type: 'string' },
			keep: { type: 'boolean' },
			help: { type: 'boolean' },
		},
	});
	const unknown = positionals.filter((name) => !Object.hasOwn(ATTACKS, name));
	if (values.help || unknown.length > 0) {
		console.log(USAGE);
		if (unknown.length > 0) process.exitCode = 2;
		return;
	}
	installPackage(__dirname);
	const folder = mkdtempSync(join(tmpdir(), 'inference-attack-'));
	teardown.add('temporary folder', () => {
		if (values.keep) console.log(`Left for you: ${folder}`);
		else rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	const attacks = new Attacks(folder, values.tarball ?? pack(folder), teardown);
	for (const [name, attack] of Object.entries(ATTACKS)) {
		if (positionals.length === 0 || positionals.includes(name)) await attack(attacks);
	}
	attacks.checklist.finish();
}

const teardown = new Teardown();
main(teardown)
	.catch((error: unknown) => {
		if (teardown.hasBegun) return;
		console.error(error);
		process.exitCode = 1;
	})
	.then(async () => await teardown.run())
	.catch(console.error);
