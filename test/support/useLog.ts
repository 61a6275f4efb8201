import { LoggerProxy } from 'n8n-workflow';

/** What nodes write to n8n's log (info) since the beginning of the current test. The engine must have run before. */
export function useLog(): string[] {
	const lines: string[] = [];
	const ignore = () => {};
	beforeEach(() => {
		lines.length = 0;
		const write = (message: string) => void lines.push(message);
		LoggerProxy.init({ info: write, debug: ignore, warn: ignore, error: ignore });
	});
	return lines;
}
