// The one stylesheet of our own pages: light and dark, from a phone to a wide screen.

/** The text of the stylesheet. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --ground: #f6f5f1;
  --card: #ffffff;
  --ink: #1c1d22;
  --faint: #5d606b;
  --line: #d9d7cf;
  --accent: #2f4fd0;
  --accent-ink: #ffffff;
  --success: #17663a;
  --success-ground: #e3f3e8;
  --error: #a3201d;
  --error-ground: #fbe9e7;
  --plain-ground: #e9ecf8;
  --radius: 10px;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15161b;
    --card: #1e2027;
    --ink: #e9e9ee;
    --faint: #a4a8b5;
    --line: #353843;
    --accent: #9db2ff;
    --accent-ink: #10142b;
    --success: #8fdcab;
    --success-ground: #173324;
    --error: #ffb0a8;
    --error-ground: #3c1c1b;
    --plain-ground: #242a44;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--ink); }
a { color: var(--accent); text-underline-offset: 0.18em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: 0.5rem 1rem; background: var(--card); z-index: 1; }
.skip:focus { top: 0.5rem; }
.bar { border-bottom: 1px solid var(--line); background: var(--card); }
.bar > div { max-width: 68rem; margin: 0 auto; padding: 0.7rem 1.25rem; display: flex; flex-wrap: wrap; gap: 0.4rem 1.25rem; align-items: center; }
.brand { font-weight: 700; color: var(--ink); text-decoration: none; letter-spacing: -0.01em; margin-right: auto; }
.bar nav { display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; align-items: center; }
.bar nav a { color: var(--ink); text-decoration: none; padding: 0.3rem 0; }
.bar nav a:hover { text-decoration: underline; }
main { width: 100%; max-width: 68rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; flex: 1; }
main.narrow { max-width: 29rem; }
footer { border-top: 1px solid var(--line); color: var(--faint); font-size: 0.875rem; }
footer > div { max-width: 68rem; margin: 0 auto; padding: 1rem 1.25rem; }
h1 { font-size: clamp(1.6rem, 1.3rem + 1.4vw, 2.2rem); line-height: 1.2; letter-spacing: -0.02em; margin: 0 0 1rem; text-wrap: balance; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.75rem; }
p { margin: 0 0 1rem; }
.lead { font-size: 1.1rem; color: var(--faint); max-width: 44rem; }
.faint { color: var(--faint); }
.status { font-size: clamp(3.5rem, 2rem + 8vw, 6rem); font-weight: 750; line-height: 1; letter-spacing: -0.05em; margin: 1rem 0 0.5rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.5rem; margin: 0 0 1.25rem; }
.card > :last-child { margin-bottom: 0; }
.card > h2:first-child { margin-top: 0; }
.grid { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); margin: 1.5rem 0; }
.grid.two { grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
.grid.fill { grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); }
.grid .card { margin: 0; }
.grid h2 { margin-top: 0; }
.notice { border-radius: var(--radius); padding: 0.75rem 1rem; margin: 0 0 1.25rem; border: 1px solid transparent; }
.notice.success { background: var(--success-ground); color: var(--success); border-color: currentColor; }
.notice.error { background: var(--error-ground); color: var(--error); border-color: currentColor; }
.notice.plain { background: var(--plain-ground); border-color: var(--line); }
form { margin: 0; }
.field { margin: 0 0 1.1rem; }
.field label { display: block; font-weight: 600; margin: 0 0 0.3rem; }
.field .hint { color: var(--faint); font-size: 0.9rem; margin: 0.3rem 0 0; }
.field .error { color: var(--error); font-weight: 600; margin: 0.35rem 0 0; }
.field [data-reveal] { display: flex; gap: 0.5rem; }
input:not([type="checkbox"], [type="radio"], [type="range"], [type="color"], [type="image"]), select, textarea {
  width: 100%; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--faint); border-radius: 8px; padding: 0.6rem 0.75rem; min-height: 2.875rem;
}
textarea { display: block; min-height: 7rem; resize: vertical; }
select[multiple] { padding: 0.4rem; }
::placeholder { color: var(--faint); opacity: 1; }
input[type="file"] { padding: 0.4rem; color: var(--faint); }
input[type="file"]::file-selector-button {
  font: inherit; font-weight: 600; color: var(--ink); background: var(--plain-ground); border: 1px solid var(--line); border-radius: 6px; padding: 0.25rem 0.8rem; margin: 0 0.75rem 0 0; cursor: pointer;
}
input[type="color"] { width: 4rem; height: 2.75rem; padding: 0.25rem; background: var(--card); border: 1px solid var(--faint); border-radius: 8px; }
input[type="range"] { display: block; width: 100%; height: 2rem; margin: 0; accent-color: var(--accent); }
input[type="checkbox"], input[type="radio"] { margin: 0; width: 1.15rem; height: 1.15rem; accent-color: var(--accent); }
input[type="submit"], input[type="button"], input[type="reset"] { width: auto; font-weight: 600; cursor: pointer; }
input[type="submit"] { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
:disabled { opacity: 0.6; cursor: not-allowed; }
:is(input, select, textarea)[aria-invalid="true"] { border-color: var(--error); box-shadow: 0 0 0 1px var(--error); }
fieldset { border: 1px solid var(--line); border-radius: var(--radius); margin: 0 0 1.1rem; padding: 0.75rem 1rem 1rem; min-width: 0; }
fieldset > :last-child { margin-bottom: 0; }
legend { font-weight: 600; padding: 0 0.35rem; }
.check { display: flex; gap: 0.6rem; align-items: center; margin: 0 0 1.1rem; min-height: 2rem; }
.check input { flex: none; }
fieldset .check { margin: 0; }
button, .button {
  font: inherit; font-weight: 600; display: inline-block; border: 1px solid var(--accent); border-radius: 8px; background: var(--accent); color: var(--accent-ink); padding: 0.6rem 1.1rem; min-height: 2.875rem; cursor: pointer; text-decoration: none;
}
button:hover, .button:hover { filter: brightness(1.08); }
button.wide { width: 100%; }
button.quiet, .button.quiet { background: transparent; color: var(--ink); border-color: var(--line); }
button[data-provider="google"] { background: #ffffff; color: #1f1f1f; border-color: #747775; }
button[data-provider="microsoft"] { background: #ffffff; color: #5e5e5e; border-color: #8c8c8c; }
@media (prefers-color-scheme: dark) {
  button[data-provider="google"] { background: #131314; color: #e3e3e3; border-color: #8e918f; }
  button[data-provider="microsoft"] { background: #2f2f2f; color: #ffffff; border-color: #2f2f2f; }
}
button.link { background: none; border: 0; padding: 0.3rem 0; min-height: 0; color: var(--ink); font-weight: 400; }
button.link:hover { text-decoration: underline; }
button.small { padding: 0.3rem 0.75rem; min-height: 2.2rem; font-size: 0.9rem; }
.row { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; }
.row > p { margin: 0; }
.long { overflow-wrap: anywhere; }
form.row { align-items: flex-end; }
form.row > .field { margin: 0; }
.spread { justify-content: space-between; }
.below { margin-top: 1.25rem; text-align: center; color: var(--faint); }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 999px; padding: 0.05rem 0.6rem; font-size: 0.85rem; font-weight: 600; }
.badge.success { color: var(--success); }
.badge.error { color: var(--error); }
.list { list-style: none; margin: 0; padding: 0; }
.list > li { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; justify-content: space-between; align-items: center; padding: 0.85rem 0; border-top: 1px solid var(--line); }
.list > li:first-child { border-top: 0; padding-top: 0; }
.list > li:last-child { padding-bottom: 0; }
.list p { margin: 0; }
.list :is(h2, h3) { margin: 0 0 0.35rem; }
.list > li > .long { flex: 1; min-width: 0; }
.list > li > details { flex-basis: 100%; }
.list details .field { flex: 1; }
summary { cursor: pointer; }
details[open] > summary { margin-bottom: 0.6rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.4rem 1.25rem; margin: 0; }
dt { color: var(--faint); }
dd { margin: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.6rem 0.75rem; border-top: 1px solid var(--line); vertical-align: top; }
thead th { border-top: 0; color: var(--faint); font-size: 0.875rem; }
.qr svg { display: block; width: 13rem; max-width: 100%; height: auto; margin: 0 auto 1.25rem; }
.codes { columns: 2; margin: 0; padding-left: 2rem; }
.codes li { padding: 0.25rem 0; break-inside: avoid; }
code, pre { font-family: var(--mono); font-size: 0.92em; }
pre { background: var(--ground); border: 1px solid var(--line); border-radius: 8px; padding: 0.9rem 1rem; overflow-x: auto; }
img { display: block; max-width: 100%; height: auto; border-radius: 6px; }
.grid .card img { width: 100%; margin: 0 0 1rem; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: no-preference) { a, button, .button { transition: filter 120ms, background-color 120ms; } }
`
