/** Takes the shortest of the random waits before a repeated request, until mocks are restored. */
export function repeatSoon(): void {
	jest.spyOn(Math, 'random').mockReturnValue(0);
}
