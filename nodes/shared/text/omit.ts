/** The fields of a record but for those named. Names are data: `__proto__` is one like any other. */
export function omit<Source extends object, Name extends keyof Source>(
	source: Source,
	...names: Name[]
): Omit<Source, Name> {
	const left = Object.entries(source).filter(([name]) => !names.includes(name as Name));
	return Object.fromEntries(left) as Omit<Source, Name>;
}
