import { grouped } from './grouped';

/** Such as "1 item" and "1,200 items". */
export function count(number: number, noun: string): string {
	return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}
