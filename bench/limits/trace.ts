import { Limiter } from '../../client/limiter/Limiter';
import { matrix } from './matrix';
import { simulate } from './simulate';
const [, , name, seed = '1', from='0', to='1e9'] = process.argv;
const row = matrix.find(({ scenario }) => new RegExp(name!).test(scenario.name))!;
console.log(row.scenario.name);
let t0 = 0, n = 0, last='';
let lim: Limiter;
simulate(row.scenario, Number(seed), (clock, random) => {
	t0 = clock.now();
	lim = new Limiter({ clock, random });
	const gate = {
		acquire: async (b: any, s: any) => {
			const p = await lim.acquire(b, s);
			const start = clock.now() - t0;
			n++;
			return {
				succeeded: (f: any) => { p.succeeded(f); show(start, 'ok'); },
				throttled: (e: any) => { const r = p.throttled(e); show(start, 'REFUSED'); return r; },
			};
		},
	};
	const show = (start: number, what: string) => {
		const d = JSON.stringify(Object.values(lim.debug)[0] ?? {}, (k, v) => typeof v === 'number' ? (v > 1e12 ? +((v - t0)/1000).toFixed(2) : +v.toFixed(2)) : k === 'probe' ? 1 : v);
		if (start/1000 < +from || start/1000 > +to) return;
		if (what === 'REFUSED' || d.includes('"trial"') || process.argv[7] ) console.log((start / 1000).toFixed(2), n, what, d);
		last = d;
	};
	return () => gate as any;
}).then((o) => console.log({ ...o, startsMs: 0, failedAtMs: 0, ratio: o.timeMs/o.idealMs }));
