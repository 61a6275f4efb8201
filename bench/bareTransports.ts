/** What each transport of this node is based on. It is measured alone, too. */
export const BARE_TRANSPORTS = { default: 'bare-helper', pooled: 'bare-fetch' } as const;

export type TransportName = keyof typeof BARE_TRANSPORTS;
