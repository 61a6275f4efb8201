/**
 * Blue for correct and orange for wrong, which colour-blind people can tell apart too (after M. Okabe and K. Ito, "Color
 * Universal Design", 2008).
 */
export const STYLE = `
:root {
	color-scheme: light dark;
	--background: #ffffff; --text: #1c2024; --muted: #5a6370; --rule: #d5dae0; --surface: #f4f6f8;
	--right: #0067a5; --wrong: #b34700; --right-rgb: 0, 103, 165; --wrong-rgb: 204, 85, 0; --on-strong: #ffffff;
}
@media (prefers-color-scheme: dark) {
	:root {
		--background: #1b1c20; --text: #e8eaed; --muted: #a3abb6; --rule: #3b3e45; --surface: #26282d;
		--right: #62b6ee; --wrong: #f59a52; --right-rgb: 98, 182, 238; --wrong-rgb: 245, 154, 82; --on-strong: #101114;
	}
}
* { box-sizing: border-box; }
html { background: var(--background); }
body {
	margin: 0; background: var(--background); color: var(--text);
	font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif;
	font-variant-numeric: tabular-nums; text-align: left; overflow-wrap: anywhere;
}
main { width: 100%; max-width: 1120px; margin: 0 auto; padding: 24px 16px 48px; }
h1 { font-size: 28px; line-height: 1.2; margin: 4px 0 8px; letter-spacing: -0.01em; text-wrap: balance; }
h2 { font-size: 18px; line-height: 1.3; margin: 0 0 6px; text-wrap: balance; }
p { margin: 0 0 12px; max-width: 72ch; }
section { border-top: 1px solid var(--rule); margin-top: 28px; padding-top: 20px; }
footer { border-top: 1px solid var(--rule); margin-top: 28px; padding-top: 12px; font-size: 13px; }
.muted { color: var(--muted); }
b, th { font-weight: 600; }
i { font-style: italic; }
table { border-collapse: collapse; }
.split { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; }
.figure { padding: 0 32px 0 44px; min-width: 0; }
.axis-title { font-size: 12px; color: var(--muted); margin: 0 0 24px -44px; }
.x-title { margin: 2px 0 0; }
.plot { position: relative; height: 300px; border-bottom: 1px solid var(--muted); }
.plot.diagonal { background: linear-gradient(to top left, transparent calc(50% - 1px), var(--muted) 50%, transparent calc(50% + 1px)); }
.plot div { position: absolute; }
.grid, .target { left: 0; right: 0; height: 0; border-top: 1px solid var(--rule); }
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
.x-axis span { position: absolute; width: 60px; margin-left: -30px; text-align: center; line-height: 20px; }
.bar-cell { width: 25%; }
.bar { height: 10px; background: rgba(var(--right-rgb), 0.55); }
.bar.wrong { background: rgba(var(--wrong-rgb), 0.7); }
.figures { width: 100%; font-size: 13px; line-height: 1.35; align-self: start; }
.figures th, .figures td { padding: 1px 6px; text-align: right; white-space: nowrap; font-weight: 400; }
.figures thead th { color: var(--muted); }
.figures .chosen th, .figures .chosen td { font-weight: 700; background: var(--surface); border-top: 2px solid var(--text); border-bottom: 2px solid var(--text); }
.bars { width: 100%; font-size: 14px; margin: 8px 0 16px; }
.bars td { padding: 4px 8px 4px 0; vertical-align: middle; border-bottom: 1px solid var(--rule); }
.bars .name { width: 60%; }
.figure-cell { white-space: nowrap; text-align: right; }
.scroll { overflow-x: auto; }
.matrix { width: 100%; max-width: 860px; table-layout: fixed; font-size: 13px; line-height: 1.25; }
.matrix th { font-weight: 400; }
.matrix .line { text-align: right; padding: 2px 8px 2px 0; }
.matrix .corner { width: 28%; text-align: right; vertical-align: bottom; padding: 0 8px 4px 0; color: var(--muted); }
.matrix .column { vertical-align: bottom; padding: 4px 2px; }
.matrix .column div { writing-mode: vertical-rl; transform: rotate(180deg); margin: 0 auto; max-height: 190px; overflow: hidden; text-align: left; overflow-wrap: normal; white-space: nowrap; }
.matrix.level .column div { writing-mode: horizontal-tb; transform: none; text-align: center; white-space: normal; overflow-wrap: anywhere; }
.matrix .found { width: 52px; text-align: right; padding-left: 8px; white-space: nowrap; color: var(--muted); vertical-align: middle; }
.matrix thead .found { vertical-align: bottom; padding-bottom: 4px; }
.matrix td { text-align: center; padding: 0; height: 32px; min-width: 20px; border: 1px solid var(--background); background: var(--surface); }
.matrix td.found { background: none; }
.matrix td.diagonal { box-shadow: inset 0 0 0 1px var(--rule); }
.matrix.level { max-width: 560px; }
.matrix.level td { height: 56px; font-size: 16px; }
.matrix.level td.found { font-size: inherit; }
.matrix .strong { color: var(--on-strong); }
.mistakes { margin: 0; padding: 0 0 0 24px; }
.mistakes li { padding: 8px 0; border-bottom: 1px solid var(--rule); }
.mistakes .verdict { font-size: 14px; }
.right-text { color: var(--right); }
.wrong-text { color: var(--wrong); }
@media (min-width: 860px) {
	h1 { font-size: 36px; }
	.split { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); }
	.plot { height: 380px; }
}
@media (max-width: 520px) {
	.matrix { font-size: 11px; }
	.matrix .found { width: 40px; padding-left: 4px; }
	.matrix.level { font-size: 13px; }
}
`;
