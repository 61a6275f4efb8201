/**
 * What was received where the contract says `Wire`. It may have fields of these names, whose values are unknown until
 * they are checked, and anything else that the service sent.
 */
export type Received<Wire> = { readonly [Name in FieldOf<Wire>]?: unknown };

/** The fields of each alternative, if the type has several. */
type FieldOf<Wire> = Wire extends unknown ? keyof Wire : never;
