// The look of the debug page, light and dark.

/** The style, inlined under a nonce. */
export const style = `:root{
  color-scheme:light dark;
  --ground:light-dark(#f7f6f2,#121319);
  --panel:light-dark(#ffffff,#191b22);
  --sunk:light-dark(#fbfaf7,#15171d);
  --line:light-dark(#e3e0d7,#2a2d38);
  --ink:light-dark(#1b1c22,#e9e9ef);
  --faint:light-dark(#62656f,#9a9eab);
  --bad:light-dark(#b0231b,#ff8f86);
  --bad-ground:light-dark(#fdebe8,#3a1c20);
  --bad-line:light-dark(#d8382e,#ff6f63);
  --accent:light-dark(#2f4fd0,#9db2ff);
  --accent-ground:light-dark(#eceffb,#222842);
  --k:light-dark(#86288c,#d6a2ea);
  --s:light-dark(#1b6b3f,#93d6a8);
  --n:light-dark(#99490a,#f0b27a);
  --c:light-dark(#6b6f7a,#858a99);
  --t:light-dark(#0a6480,#7fcfe6);
  --f:light-dark(#2b48bf,#9db2ff);
  --r:light-dark(#a3201d,#ffa79f);
  --mono:ui-monospace,"SF Mono","Cascadia Code","JetBrains Mono","DejaVu Sans Mono",Menlo,Consolas,monospace;
}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
html{font:100%/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;background:var(--ground);color:var(--ink);scroll-padding-top:4rem}
body{margin:0;border-top:4px solid var(--bad-line)}
a{color:inherit}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:1rem;top:-5rem;background:var(--panel);padding:.5rem 1rem;z-index:9}
.skip:focus{top:.5rem}
.wrap{max-width:84rem;margin:0 auto;padding:0 1.5rem}
.bar{position:sticky;top:0;z-index:5;background:color-mix(in srgb,var(--ground) 88%,transparent);backdrop-filter:blur(10px);border-bottom:1px solid var(--line)}
.bar .wrap{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center;min-height:3.4rem;padding-top:.4rem;padding-bottom:.4rem}
.where{margin:0;display:flex;flex-wrap:wrap;gap:.25rem .7rem;align-items:center;font-size:.9rem;min-width:0}
.pill{white-space:nowrap;font:600 .8rem/1 var(--mono);padding:.35rem .55rem;border-radius:6px;background:var(--bad-ground);color:var(--bad)}
.pill.calm{background:var(--accent-ground);color:var(--accent)}
.where code{font:.85rem var(--mono);overflow-wrap:anywhere}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.faint{color:var(--faint)}
.tools{margin-left:auto;display:flex;gap:.5rem;align-items:center}
button,select{font:600 .82rem/1 system-ui,sans-serif;color:var(--ink);background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.55rem .75rem;cursor:pointer}
select{font-weight:500;max-width:9.5rem}
button:hover,select:hover{border-color:var(--accent)}
button.main{background:var(--ink);color:var(--ground);border-color:var(--ink)}
.head{padding:2.4rem 0 1.6rem}
.kind{margin:0 0 .5rem;font:600 1rem/1.3 var(--mono);color:var(--bad);overflow-wrap:anywhere}
h1,h2.message{margin:0;font-size:clamp(1.35rem,1rem + 1.6vw,2.05rem);line-height:1.28;letter-spacing:-.015em;font-weight:650;white-space:pre-wrap;overflow-wrap:anywhere;max-height:16rem;overflow:auto;text-wrap:pretty}
h2.message{font-size:1.2rem}
.chain{display:flex;flex-wrap:wrap;gap:.5rem;margin:1.2rem 0 0;padding:0;list-style:none;font-size:.85rem}
.chain a{display:block;text-decoration:none;border:1px solid var(--line);background:var(--panel);border-radius:999px;padding:.3rem .8rem;max-width:26rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.chain a:hover{border-color:var(--accent)}
.chain b{font-family:var(--mono);font-weight:600}
.cause{margin:2.6rem 0 1rem}
.cause .kind{margin-bottom:.35rem}
.card{background:var(--panel);border:1px solid var(--line);border-radius:14px;overflow:hidden;box-shadow:0 1px 2px light-dark(#1b1c2210,#00000040),0 12px 32px -18px light-dark(#1b1c2230,#000000a0)}
.split{display:grid;grid-template-columns:minmax(15rem,21rem) minmax(0,1fr)}
.frames{border-right:1px solid var(--line);background:var(--sunk);display:flex;flex-direction:column;min-width:0;max-height:32rem}
.frames ol{list-style:none;margin:0;padding:.5rem;overflow:auto;flex:1}
.frames a{display:block;padding:.5rem .7rem;border-radius:8px;text-decoration:none;border-left:3px solid transparent}
.frames a:hover{background:var(--accent-ground)}
.frames a[aria-current]{background:var(--panel);border-left-color:var(--bad-line);box-shadow:0 0 0 1px var(--line)}
.frames b,.frames small{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.frames b{font:600 .85rem/1.45 var(--mono)}
.frames small{font:.78rem/1.45 var(--mono);color:var(--faint);direction:rtl;text-align:left}
.frames small bdi{direction:ltr;unicode-bidi:isolate}
.frames .foreign b{font-weight:400;color:var(--faint)}
.frames .span b::before{content:"span";font:600 .68rem/1 system-ui,sans-serif;color:var(--accent);background:var(--accent-ground);border-radius:4px;padding:.15rem .35rem;margin-right:.45rem;vertical-align:.08rem}
.js .frames:not(.all) .foreign:not(.first){display:none}
.reveal{display:none;margin:.5rem;border-style:dashed;font-weight:500;color:var(--faint)}
.js .reveal{display:block}
.panels{min-width:0;display:flex;flex-direction:column}
.panel{display:flex;flex-direction:column}
.js .panel:not(.on){display:none}
.panel>header{display:flex;flex-wrap:wrap;gap:.2rem 1rem;align-items:baseline;padding:.7rem 1.1rem;border-bottom:1px solid var(--line);font:.85rem var(--mono);min-width:0}
.file{text-decoration:none;overflow-wrap:anywhere}
a.file:hover{color:var(--accent);text-decoration:underline}
.file .faint{font-weight:400}
.panel>header .call{margin-left:auto;color:var(--faint);overflow-wrap:anywhere}
pre{margin:0;padding:.7rem 0;overflow-x:auto;font:.86rem/1.65 var(--mono);tab-size:2}
pre code{display:block;min-width:max-content}
.l{display:block;padding:0 1.2rem 0 0;background:none;color:inherit;border-left:3px solid transparent}
.l::before{content:attr(data-n);display:inline-block;width:3.6rem;padding-right:1.1rem;text-align:right;color:var(--faint);opacity:.75;user-select:none}
mark.l{background:var(--bad-ground);border-left-color:var(--bad-line)}
mark.l::before{color:var(--bad);font-weight:700;opacity:1}
mark.l u{text-decoration:underline wavy var(--bad-line);text-underline-offset:.25em;text-decoration-skip-ink:none}
pre i{font-style:normal}
.k{color:var(--k)}.s{color:var(--s)}.n{color:var(--n)}.c{color:var(--c);font-style:italic!important}.t{color:var(--t)}.f{color:var(--f)}.r{color:var(--r)}
.none{margin:0;padding:1.4rem 1.2rem;color:var(--faint)}
.facts{border-top:1px solid var(--line);padding:.9rem 1.2rem 1.1rem}
h3,.label{margin:0 0 .45rem;font-size:.8rem;letter-spacing:.05em;text-transform:uppercase;color:var(--faint);font-weight:650}
.label code{text-transform:none;letter-spacing:0;font-family:var(--mono);color:var(--ink)}
.facts .label:not(:first-child){margin-top:1rem}
.facts p{margin:0;color:var(--faint);font-size:.88rem}
table{border-collapse:collapse;width:100%;font-size:.86rem;table-layout:fixed}
th,td{text-align:left;vertical-align:top;padding:.32rem .5rem .32rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}
tr:first-child>*{border-top:0}
th{width:12rem;font-weight:500;color:var(--faint);font-family:var(--mono)}
td{font-family:var(--mono)}
.context{padding:2.6rem 0 1rem}
.context>h2{font-size:1.15rem;margin:0 0 1rem;letter-spacing:-.01em}
.grid{columns:2 26rem;column-gap:1rem}
.grid .card{padding:1rem 1.2rem;margin:0 0 1rem;break-inside:avoid}
.grid th{width:9rem}
footer{padding:1.4rem 0 2.6rem;color:var(--faint);font-size:.84rem;display:flex;flex-wrap:wrap;gap:.4rem 1.2rem}
kbd{font:600 .76rem/1 var(--mono);border:1px solid var(--line);border-bottom-width:2px;background:var(--panel);color:var(--ink);border-radius:5px;padding:.16rem .38rem}
.keys{display:none}
.js .keys{display:inline}
.hints{margin:1.4rem 0 0;border-left:4px solid var(--accent);background:var(--accent-ground);border-radius:0 10px 10px 0;padding:.8rem 1.1rem;max-width:60rem}
.hints p{margin:0;font-size:.95rem}
.hints p+p{margin-top:.5rem}
.hints code,.warn code{font-family:var(--mono);font-size:.92em}
.find{display:none;padding:.6rem .6rem 0}
.js .find{display:block}
input[type=search]{width:100%;font:.85rem/1.2 system-ui,sans-serif;color:var(--ink);background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.5rem .7rem}
input[type=search]::placeholder{color:var(--faint);opacity:1}
.js .frames.searching .foreign:not([hidden]){display:list-item}
.frames li[hidden]{display:none!important}
.did{padding:2.6rem 0 0}
.did>h2{font-size:1.15rem;margin:0 0 1rem;letter-spacing:-.01em}
.recorded{display:grid;gap:1rem}
.recorded .card{padding:1rem 1.2rem;overflow-x:auto}
.more{font-size:.9rem;color:var(--faint)}
thead th{font:600 .78rem/1.4 system-ui,sans-serif;color:var(--faint);border-top:0;width:auto}
.recorded td,.recorded tbody th{border-top:1px solid var(--line)}
th.number,td.number{text-align:right;white-space:nowrap;width:5.6rem;padding-left:.6rem;padding-right:0;font-variant-numeric:tabular-nums}
.recorded small{display:block;color:var(--faint);font-weight:400;font-size:.78rem;line-height:1.4}
.recorded small.state{display:inline;color:var(--accent)}
.timeline th{color:var(--ink)}
.timeline tbody th{width:38%}
.timeline thead th:first-child{width:38%}
.timeline .track{width:auto}
.timeline tbody th small:not(.state){display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}
.track svg{display:block;width:100%;height:.7rem;margin-top:.35rem;background:var(--sunk);border-radius:3px}
rect{fill:var(--accent)}
rect.sql{fill:var(--s)}
rect.failed{fill:var(--bad-line)}
.d1{padding-left:.9rem}.d2{padding-left:1.8rem}.d3{padding-left:2.7rem}.d4{padding-left:3.6rem}.d5{padding-left:4.5rem}.d6{padding-left:5.4rem}.d7{padding-left:6.3rem}.d8{padding-left:7.2rem}
.statements td code{font-family:var(--mono);white-space:pre-wrap}
.recorded small.warn{color:var(--bad);font-size:.84rem;margin-top:.2rem;font-family:system-ui,sans-serif}
.lines td.number{width:5.2rem;padding-right:1rem;text-align:left;padding-left:0}
.lines .level{width:5.4rem}
.level.warn{color:var(--n)}.level.error,.level.fatal{color:var(--bad)}
@media (max-width:56rem){
  .timeline .number:nth-child(3){display:none}
  .timeline tbody th,.timeline thead th:first-child{width:52%}
  .recorded .card{padding:.9rem}
  .recorded .number{width:4.6rem;padding-left:.3rem}
  .statements .number:nth-child(2){width:2.6rem}
  .d1,.d2,.d3,.d4,.d5,.d6,.d7,.d8{padding-left:.6rem}
  .split{grid-template-columns:minmax(0,1fr)}
  .frames{border-right:0;border-bottom:1px solid var(--line);max-height:17rem}
  .tools{margin-left:0}
  .wrap{padding-left:1rem;padding-right:1rem}
  .head{padding:1.6rem 0 1.2rem}
}
@media print{.bar{position:static}.tools,.reveal,footer{display:none!important}.js .panel:not(.on){display:flex}}
`
