/** What each transport of this node is based on, measured alone. */
export const BARE_TRANSPORTS = { default: 'bare-helper', pooled: 'bare-fetch' } as const;

export type TransportName = keyof typeof BARE_TRANSPORTS;
