/** Makes retries wait as briefly as their jitter allows, until mocks are restored. */
export function repeatSoon(): void {
	jest.spyOn(Math, 'random').mockReturnValue(0);
}
