/**
 * What was received where the contract says `Wire`: fields of these names, whose values are unknown until they are checked,
 * and anything else that the service sent.
 */
export type Received<Wire> = { readonly [Name in FieldOf<Wire>]?: unknown };

/** Of each alternative, where there are several. */
type FieldOf<Wire> = Wire extends unknown ? keyof Wire : never;
