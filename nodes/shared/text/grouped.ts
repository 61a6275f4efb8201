/** Large runs have large numbers, so they get a comma between thousands. */
export function grouped(number: number): string {
	return number.toLocaleString('en-US');
}
