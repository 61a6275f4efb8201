import { grouped } from './grouped';

/** Such as "1 item" and "1,200 items". */
export function countOf(number: number, singular: string, plural = `${singular}s`): string {
	return `${grouped(number)} ${number === 1 ? singular : plural}`;
}
