import type { IDataObject } from 'n8n-workflow';

import type { Service } from '../Job';

/** Gets items answered by the service. Resolves to how many items came out with an answer. */
export type Peer = (items: IDataObject[], service: Service) => Promise<number>;
