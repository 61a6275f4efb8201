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
.scale { margin-top: 12px; font-size: 14px; }
.scale-label { display: flex; }
.scale-label.end { justify-content: flex-end; text-align: right; }
.scale-label div { flex: none; max-width: 100%; }
.scale-label .room { flex: 0 1 0; }
.track { position: relative; height: 18px; background: var(--surface); border: 1px solid var(--rule); margin: 3px 0; }
.fill { position: absolute; inset: 0 auto 0 0; background: rgba(var(--right-rgb), 0.55); }
.interval { position: absolute; top: 50%; height: 2px; margin-top: -1px; background: var(--text); }
.tick { position: absolute; top: -4px; bottom: -6px; width: 2px; margin-left: -1px; background: var(--text); }
.split { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; }
.figure { padding: 0 32px 0 44px; min-width: 0; }
.axis-title { font-size: 12px; color: var(--muted); margin: 0 0 24px -44px; }
.x-title { margin: 2px 0 0; }
.plot { position: relative; height: 300px; border-bottom: 1px solid var(--muted); }
.area { position: absolute; inset: 0; }
.band { background: rgba(var(--right-rgb), 0.14); }
.low { background: rgba(var(--right-rgb), 0.5); }
.accuracy { background: var(--right); }
.diagonal-line { background: var(--muted); }
.grid { position: absolute; left: 0; right: 0; height: 0; border-top: 1px solid var(--rule); }
.grid span { position: absolute; right: 100%; top: -9px; padding-right: 8px; font-size: 12px; line-height: 18px; color: var(--muted); white-space: nowrap; }
.target { position: absolute; left: 0; right: 0; height: 0; border-top: 2px dashed var(--muted); }
.target span { position: absolute; left: 4px; bottom: 2px; font-size: 12px; line-height: 16px; color: var(--muted); }
.dot { position: absolute; width: 8px; height: 8px; margin: 0 0 -4px -4px; border-radius: 50%; background: var(--right); }
.dot.chosen { width: 18px; height: 18px; margin: 0 0 -9px -9px; border: 4px solid var(--text); background: var(--background); }
.dot-label { position: absolute; width: 40px; margin: 0 0 5px -8px; text-align: center; font-size: 12px; line-height: 16px; }
.dot-label.chosen { font-weight: 700; font-size: 15px; margin: 0 0 9px -4px; }
.dot-label, .line-name, .target span {
	text-shadow: 0 0 3px var(--background), 0 0 3px var(--background), 0 0 3px var(--background), 0 0 3px var(--background);
}
.drop { position: absolute; bottom: 0; width: 0; border-left: 2px solid var(--text); margin-left: -1px; }
.line-name { position: absolute; margin-top: 4px; font-size: 12px; line-height: 16px; color: var(--muted); text-align: right; white-space: nowrap; }
.x-axis { position: relative; height: 20px; font-size: 12px; color: var(--muted); }
.x-axis span { position: absolute; width: 60px; margin-left: -30px; text-align: center; line-height: 20px; }
.gap { position: absolute; width: 4px; margin-left: -2px; background: rgba(var(--wrong-rgb), 0.55); }
.bar-cell { width: 40%; }
.tenths .bar-cell { width: 24%; }
.bar { height: 10px; background: rgba(var(--right-rgb), 0.55); }
.bar.wrong { background: rgba(var(--wrong-rgb), 0.7); }
.figures { width: 100%; font-size: 13px; line-height: 1.35; align-self: start; }
.figures th, .figures td { padding: 1px 6px; text-align: right; white-space: nowrap; }
.figures thead th { color: var(--muted); font-weight: 400; }
.figures tbody th { font-weight: 400; }
.figures .chosen th, .figures .chosen td { font-weight: 700; background: var(--surface); border-top: 2px solid var(--text); border-bottom: 2px solid var(--text); }
.pairs { width: 100%; font-size: 14px; margin: 8px 0 16px; }
.pairs td { padding: 4px 8px 4px 0; vertical-align: middle; border-bottom: 1px solid var(--rule); }
.pairs .pair { width: 60%; }
.pairs .bar-cell { width: 25%; }
.pair-count { white-space: nowrap; text-align: right; }
.scroll { overflow-x: auto; }
.matrix { font-size: 13px; line-height: 1.25; }
.matrix th { font-weight: 400; }
.matrix .line { text-align: right; padding: 2px 8px 2px 0; }
.matrix .corner { text-align: right; vertical-align: bottom; padding: 0 8px 4px 0; color: var(--muted); }
.matrix .column { vertical-align: bottom; padding: 4px 2px; }
.matrix .column div { writing-mode: vertical-rl; transform: rotate(180deg); margin: 0 auto; max-height: 190px; overflow: hidden; text-align: left; overflow-wrap: normal; white-space: nowrap; }
.matrix.level .column div { writing-mode: horizontal-tb; transform: none; text-align: center; white-space: normal; overflow-wrap: anywhere; }
.matrix .found { text-align: right; padding-left: 8px; white-space: nowrap; color: var(--muted); vertical-align: middle; }
.matrix thead .found { vertical-align: bottom; padding-bottom: 4px; }
.matrix td { text-align: center; padding: 0; border: 1px solid var(--background); background: var(--surface); }
.matrix td.found { background: none; }
.matrix td.diagonal { box-shadow: inset 0 0 0 1px var(--rule); }
.numbers td { height: 32px; min-width: 20px; }
.numbers { width: 100%; max-width: 860px; table-layout: fixed; }
.numbers .corner { width: 28%; }
.numbers .found { width: 52px; }
.level { max-width: 560px; }
.level td { height: 56px; font-size: 16px; }
.level td.found { font-size: inherit; }
.compact { font-size: 10px; line-height: 12px; }
.compact td { width: 11px; min-width: 11px; height: 12px; border-width: 0 1px 1px 0; }
.compact .line { padding: 0 6px 0 0; white-space: nowrap; position: sticky; left: 0; background: var(--background); max-width: 150px; overflow: hidden; text-overflow: ellipsis; }
.compact .corner { position: sticky; left: 0; background: var(--background); }
.compact wbr { display: none; }
.compact .column { padding: 2px 0; }
.compact .column div { line-height: 11px; width: 11px; }
.matrix .right1 { background: rgba(var(--right-rgb), 0.14); }
.matrix .right2 { background: rgba(var(--right-rgb), 0.28); }
.matrix .right3 { background: rgba(var(--right-rgb), 0.42); }
.matrix .right4 { background: rgba(var(--right-rgb), 0.85); color: var(--on-strong); }
.matrix .right5 { background: rgb(var(--right-rgb)); color: var(--on-strong); }
.matrix .wrong1 { background: rgba(var(--wrong-rgb), 0.26); }
.matrix .wrong2 { background: rgba(var(--wrong-rgb), 0.4); }
.matrix .wrong3 { background: rgba(var(--wrong-rgb), 0.55); }
.matrix .wrong4 { background: rgba(var(--wrong-rgb), 0.9); color: var(--on-strong); }
.matrix .wrong5 { background: rgb(var(--wrong-rgb)); color: var(--on-strong); }
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
	.numbers { font-size: 11px; }
	.numbers .found { width: 40px; padding-left: 4px; }
	.level { font-size: 13px; }
}
`;
