import { LoggerProxy } from 'n8n-workflow';

/**
 * Collects the lines of one level that nodes write to n8n's log during the current test. The engine must have run before, because
 * its first run replaces the logger.
 */
export function useLog(level: 'info' | 'debug' = 'info'): string[] {
	const lines: string[] = [];
	const ignore = () => {};
	beforeEach(() => {
		lines.length = 0;
		const write = (message: string) => void lines.push(message);
		LoggerProxy.init({ info: ignore, debug: ignore, warn: ignore, error: ignore, [level]: write });
	});
	return lines;
}
