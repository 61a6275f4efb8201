/** With a comma between thousands, as a run of many items needs. */
export function grouped(number: number): string {
	return number.toLocaleString('en-US');
}
