/**
 * This is the style sheet of the report. Blue means correct and orange means wrong, because colour-blind people can tell these
 * apart (M. Okabe and K. Ito, "Color Universal Design", 2008).
 */
export const STYLE = `
:root {
	color-scheme: light dark;
	--background: #ffffff; --text: #1c2024; --muted: #5a6370; --rule: #d5dae0; --surface: #f4f6f8;
	--right: #0067a5; --right-rgb: 0, 103, 165; --wrong-rgb: 204, 85, 0; --on-strong: #ffffff;
}
@media (prefers-color-scheme: dark) {
	:root {
		--background: #1b1c20; --text: #e8eaed; --muted: #a3abb6; --rule: #3b3e45; --surface: #26282d;
		--right: #62b6ee; --right-rgb: 98, 182, 238; --wrong-rgb: 245, 154, 82; --on-strong: #101114;
	}
}
* { box-sizing: border-box; }
body {
	margin: 0; background: var(--background); color: var(--text); overflow-wrap: anywhere;
	font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif;
	font-variant-numeric: tabular-nums;
}
main { max-width: 1120px; margin: 0 auto; padding: 24px 16px 48px; }
h1 { font-size: 32px; line-height: 1.2; margin: 4px 0 8px; }
h2 { font-size: 18px; line-height: 1.3; margin: 0 0 6px; }
p { margin: 0 0 12px; max-width: 72ch; }
section, footer { border-top: 1px solid var(--rule); margin-top: 28px; padding-top: 20px; }
.muted { color: var(--muted); }
table { border-collapse: collapse; width: 100%; font-size: 14px; line-height: 1.35; }
th { font-weight: 400; }
.split { display: grid; gap: 24px; }
.figure { padding: 0 32px 0 44px; min-width: 0; }
.axis-title { font-size: 12px; color: var(--muted); margin: 0 0 24px -44px; }
.x-title { margin: 2px 0 0; }
.plot { position: relative; height: 340px; border-bottom: 1px solid var(--muted); }
.plot.diagonal { background: linear-gradient(to top left, transparent calc(50% - 1px), var(--muted) 50%, transparent calc(50% + 1px)); }
.plot div { position: absolute; }
.grid, .target { left: 0; right: 0; border-top: 1px solid var(--rule); }
.plot span { position: absolute; font-size: 12px; line-height: 18px; color: var(--muted); white-space: nowrap; }
.grid span { right: 100%; top: -9px; padding-right: 8px; }
.target { border-top: 2px dashed var(--muted); }
.target span { left: 4px; bottom: 2px; }
.stem { width: 4px; margin-left: -2px; background: rgba(var(--right-rgb), 0.4); }
.dot { width: 8px; height: 8px; margin: 0 0 -4px -4px; border-radius: 50%; background: var(--right); }
.dot.chosen { width: 18px; height: 18px; margin: 0 0 -9px -9px; border: 4px solid var(--text); background: var(--background); }
.dot-label { width: 40px; margin: 0 0 9px -20px; text-align: center; font-weight: 700; line-height: 16px; }
.dot-label, .target span { text-shadow: 0 0 3px var(--background), 0 0 3px var(--background), 0 0 3px var(--background); }
.x-axis { position: relative; height: 20px; font-size: 12px; color: var(--muted); }
.x-axis span { position: absolute; width: 60px; margin-left: -30px; text-align: center; }
.bar-cell { width: 25%; }
.bar { height: 10px; background: rgba(var(--right-rgb), 0.55); }
.figures { font-size: 13px; align-self: start; }
.figures th, .figures td { padding: 1px 6px; text-align: right; white-space: nowrap; }
.figures thead th { color: var(--muted); }
.figures .chosen { font-weight: 700; background: var(--surface); outline: 2px solid var(--text); }
.figures .chosen th { font-weight: 700; }
.bars td { padding: 4px 8px 4px 0; border-bottom: 1px solid var(--rule); }
.bars .name { width: 60%; }
.figure-cell { white-space: nowrap; text-align: right; }
.scroll { overflow-x: auto; }
.matrix { max-width: 860px; table-layout: fixed; font-size: 13px; }
.matrix .line, .matrix .corner { text-align: right; padding: 2px 8px 2px 0; }
.matrix .corner { width: 28%; vertical-align: bottom; }
.matrix .column { vertical-align: bottom; padding: 4px 2px; }
.matrix .column div { writing-mode: vertical-rl; transform: rotate(180deg); margin: 0 auto; max-height: 190px; overflow: hidden; white-space: nowrap; }
.matrix.level .column div { writing-mode: horizontal-tb; transform: none; white-space: normal; }
.matrix td { text-align: center; padding: 0; height: 32px; border: 1px solid var(--background); background: var(--surface); }
.matrix .found { width: 52px; background: none; vertical-align: bottom; padding: 4px 0; }
.matrix .corner, .matrix .found { color: var(--muted); }
.matrix td.found { vertical-align: middle; }
.matrix td.diagonal { box-shadow: inset 0 0 0 1px var(--rule); }
.matrix .strong { color: var(--on-strong); }
@media (min-width: 860px) { .split { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); } }
`;
