/** These words name an option for whatever fits no other one, in the languages of n8n's users. */
const WORDS = String.raw`(?:the |all )?(?:(?:any|every|some)thing else|others?|else|misc\p{L}*|none(?: of (?:these|them|the above))?|nothing|rest|un(?:clear|known|sure)|sonstig\p{L}*|andere\p{L}*|keine?[rs]?|autres?|aucune?|otr[oa]s?|ningun[oa]|altr[oi]|nessuno|outr[oa]s?|overige?|geen|inne)`;

const NAME = new RegExp(`^(?:${WORDS})$`, 'iu');

/** Matches a name such as "Other: anything else", too. */
const BEGINNING_OF_NAME = new RegExp(String.raw`^(?:${WORDS}|general|fallback)(?!\p{L})`, 'iu');

const BEGINNING_OF_DESCRIPTION = /^(?:(?:any|every|some)thing else|all others?|none of|the rest)\b/i;

/** Returns whether an option of a choice is for whatever fits no other one. */
export function isForRest(name: string, description: string): boolean {
	return BEGINNING_OF_NAME.test(name) || BEGINNING_OF_DESCRIPTION.test(description.trim());
}

/** Returns whether a tag is for a text to which no other one applies. "Other damage" is an ordinary tag. */
export function isTagForRest(name: string): boolean {
	return NAME.test(name);
}
