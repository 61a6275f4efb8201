/** Matches a character that people see: no white space, no control character, and none that Unicode wants to be left out of what is shown. */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** Returns whether people see something in a text. It stops at the first character that they see. */
export function hasVisibleText(text: string): boolean {
	return VISIBLE.test(text);
}
