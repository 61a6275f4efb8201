import type { IDataObject } from 'n8n-workflow';

import type { Service } from '../Job';

/** Sends items to the service. Resolves to the number of items that got an answer. */
export type Peer = (items: IDataObject[], service: Service) => Promise<number>;
