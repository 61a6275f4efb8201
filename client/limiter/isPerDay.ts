/** Whether a limit counts by the day, by its name as the service states it: RPD, TPD or IPD. */
export function isPerDay(limit: string | undefined): boolean {
	return limit?.endsWith('D') ?? false;
}
