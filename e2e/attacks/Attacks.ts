import { join } from 'node:path';

import { Checklist } from '../../scripts/Checklist';
import { N8n } from '../N8n';
import type { Teardown } from '../Teardown';
import { AttackedN8n } from './AttackedN8n';

/** What the attacks have in common. */
export class Attacks {
	readonly checklist = new Checklist();

	private started = 0;

	constructor(
		/** A folder for files, which is removed at the end. */
		readonly folder: string,
		private readonly tarball: string,
		private readonly teardown: Teardown,
	) {}

	/** Starts a separate n8n. Only one may run at a time, because each takes a gigabyte. */
	async startN8n(env: Record<string, string> = {}): Promise<AttackedN8n> {
		const { tarball } = this;
		const n8n = await N8n.start({ folder: join(this.folder, `n8n-${++this.started}`), tarball, env });
		this.teardown.add('n8n', async () => await n8n.stop());
		return await AttackedN8n.signIn(n8n);
	}

	/**
	 * Runs one attack.
	 * @param attack resolves with a note for the report, and rejects with what broke
	 */
	async attack(title: string, attack: () => Promise<string | void>): Promise<void> {
		await this.checklist.check(title, async () => ({ findings: [], note: (await attack()) ?? undefined }));
	}
}
