/** Returns a message for anything that was thrown, which need not be an Error. */
export function errorMessage(error: unknown): string {
	// V8 only says "Maximum call stack size exceeded" for data that is nested too deeply or contains itself.
	if (error instanceof RangeError && error.message.includes('call stack')) {
		return 'The data is nested too deeply, or refers to itself';
	}
	return error instanceof Error ? error.message : String(error);
}
