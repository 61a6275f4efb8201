import { LoggerProxy } from 'n8n-workflow';

/** The lines that nodes have written to n8n's log, at one level, since the current test began. The engine must have run before. */
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
