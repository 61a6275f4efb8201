/**
 * What came where the contract has `Wire`: fields by these names, whose values are unknown until they are checked, and whatever
 * else the service sent.
 */
export type Received<Wire> = { readonly [Name in FieldOf<Wire>]?: unknown };

/** Of each alternative, where there are several. */
type FieldOf<Wire> = Wire extends unknown ? keyof Wire : never;
