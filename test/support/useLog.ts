import { LoggerProxy } from 'n8n-workflow';

/** The lines that nodes have written to n8n's log, at level info, since the current test began. The engine must have run before. */
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
