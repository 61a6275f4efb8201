import type { IDataObject } from 'n8n-workflow';

import type { Service } from '../Job';

/** Something that gets items answered by the service. */
export interface Peer {
	/** @returns how many items came out with an answer */
	run(items: IDataObject[], service: Service): Promise<number>;
}
