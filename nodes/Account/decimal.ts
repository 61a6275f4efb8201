/** A decimal number without loss: `sign` times 0.`digits` times 10 to the power of `exponent`. */
export interface Decimal {
	sign: -1 | 0 | 1;
	/** Begins and ends with a digit other than 0, so that equal numbers have equal digits; empty for zero. */
	digits: string;
	exponent: number;
}

/** In characters. An amount has about twenty; a far longer text is not a balance, and would only take time. */
const LONGEST = 100;

const DECIMAL = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/;

/** Reads text such as `-12.50`, `+3`, `.5` and `1e-7`. Undefined when it is not a decimal number. */
export function readDecimal(text: string): Decimal | undefined {
	if (text.length > LONGEST) return undefined;
	const match = DECIMAL.exec(text.trim());
	if (!match) return undefined;
	const [, sign, whole = '', fraction = match[4] ?? '', , power = '0'] = match;
	const all = whole + fraction;
	const leadingZeros = /^0*/.exec(all)![0].length;
	if (leadingZeros === all.length) return { sign: 0, digits: '', exponent: 0 };
	let end = all.length;
	while (all[end - 1] === '0') end--;
	const digits = all.slice(leadingZeros, end);
	return { sign: sign === '-' ? -1 : 1, digits, exponent: whole.length - leadingZeros + Number(power) };
}

export function isBelow(a: Decimal, b: Decimal): boolean {
	if (a.sign !== b.sign) return a.sign < b.sign;
	return a.sign === -1 ? isSmaller(b, a) : isSmaller(a, b);
}

/** Whether they are the same number, however each was spelled. */
export function isEqual(a: Decimal, b: Decimal): boolean {
	return a.sign === b.sign && a.digits === b.digits && a.exponent === b.exponent;
}

/** The nearest binary number. */
export function toNumber({ sign, digits, exponent }: Decimal): number {
	return sign * Number(`0.${digits}e${exponent}`);
}

/** Compares magnitudes. With equal exponents, digits after the point sort as text does. */
function isSmaller(a: Decimal, b: Decimal): boolean {
	return a.exponent === b.exponent ? a.digits < b.digits : a.exponent < b.exponent;
}
