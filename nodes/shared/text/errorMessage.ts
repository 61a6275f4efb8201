/** The message of what was thrown, whatever it is. */
export function errorMessage(error: unknown): string {
	// The engine's message for data that is nested too deeply, or contains itself.
	if (error instanceof RangeError && error.message.includes('call stack')) {
		return 'The data is nested too deeply, or refers to itself';
	}
	return error instanceof Error ? error.message : String(error);
}
