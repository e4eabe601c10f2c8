"""How the page looks: by light and by dark, on paper, in a narrow window, with a keyboard."""

from __future__ import annotations

import base64
import hashlib

CSS = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --dim: #57606a; --rule: #d0d7de;
  --soft: #f3f5f8; --link: #0550ae; --good: #116329; --bad: #a40e26; --note: #7d4e00;
  --gone: #ffe5e3; --new: #dcf6e2; --mark: #ffcdc8; --marknew: #a9e9b8; }
@media screen and (prefers-color-scheme: dark) { :root {
  --paper: #10151c; --ink: #e6edf3; --dim: #9aa6b2;
  --rule: #3a444f; --soft: #1a212b; --link: #79b8ff; --good: #6fdd8b; --bad: #ff9389;
  --note: #e6b450; --gone: #42191b; --new: #123220; --mark: #6b2429; --marknew: #1d5733; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1.25rem 4rem; max-width: 82rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; margin: .5rem 0; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 .75rem; border-bottom: 1px solid var(--rule); }
h3 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1rem 0 .25rem; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code, pre, .code, .number { font-family: ui-monospace, monospace; font-size: .875rem; }
pre { white-space: pre-wrap; background: var(--soft); padding: .75rem; border-radius: 6px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
nav ul, .tiles { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; list-style: none; padding: 0; }
.tiles li { border: 1px solid var(--rule); border-radius: 6px; padding: .25rem .75rem; }
.tiles b { font-size: 1.25rem; }
.dim { color: var(--dim); }
.good { color: var(--good); } .bad { color: var(--bad); } .note { color: var(--note); }
.good, .bad, .note { font-weight: 600; }
.wide { overflow-x: auto; }
td, th { overflow-wrap: break-word; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem;
  border-bottom: 1px solid var(--rule); }
details { margin: .5rem 0; border: 1px solid var(--rule); border-radius: 6px;
  padding: .4rem .75rem; }
summary { cursor: pointer; }
.finding { border-left: 4px solid var(--rule); padding-left: .75rem; margin: 1rem 0; }
.finding.bad { border-color: var(--bad); color: inherit; font-weight: inherit; }
.finding.note { border-color: var(--note); color: inherit; font-weight: inherit; }
.finding p { margin: .25rem 0; }
.sides { table-layout: fixed; }
.sides th { font-weight: 600; }
.sides .why th { border: 0; padding: .35rem .4rem; color: var(--dim); background: var(--soft);
  font-size: .875rem; }
.sides td { border: 0; padding: 0 .4rem; line-height: 1.45; }
.sides tbody + tbody td { border-top: 0; }
.sides tbody + tbody tr:first-child td { border-top: 1px dashed var(--rule); }
.sides col.number { width: 2.75rem; }
.sides .number { color: var(--dim); text-align: right; user-select: none; }
.sides .code { white-space: pre-wrap; overflow-wrap: anywhere;
  padding: 0 .2rem 0 1.2rem; text-indent: -.8rem; }
.sides .old:not(.none) { background: var(--gone); }
.sides .new:not(.none) { background: var(--new); }
.sides .none { background: var(--soft); }
.sides del, .sides ins { text-decoration: none; }
.sides .old del::before { content: "- "; } .sides .new ins::before { content: "+ "; }
.chart { width: 100%; max-width: 56rem; height: auto; display: block; margin: .5rem 0; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; list-style: none; padding: 0;
  margin: .5rem 0; font-size: .875rem; }
.legend svg { width: 2.25rem; height: .875rem; vertical-align: -.125rem; margin-right: .4rem; }
.chart text { fill: var(--ink); font: 13px system-ui, sans-serif; }
.chart .grid { stroke: var(--rule); } .chart .lane { fill: var(--soft); }
.chart .ideal { fill: var(--soft); stroke: var(--rule); } .chart .done { fill: var(--link); }
.c0 { stroke: #0b5394; } .c1 { stroke: #b45f06; } .c2 { stroke: #38761d; } .c3 { stroke: #741b47; }
@media screen and (prefers-color-scheme: dark) { .c0 { stroke: #79b8ff; } .c1 { stroke: #ffab5e; }
  .c2 { stroke: #8ddb8c; } .c3 { stroke: #f0a0d0; } }
.k-step { stroke: var(--link); } .k-collective, .k-broadcast { stroke: var(--good); }
.k-traced { stroke: var(--dim); } .k-error { stroke: var(--bad); } .k-end { stroke: var(--ink); }
.k-wait { fill: var(--note); stroke: var(--note); } .k-init { stroke: var(--ink); }
@media (max-width: 44rem) {
  body { padding: .75rem; }
  details { padding: .4rem; }
  .chart text { font-size: 25px; } /* drawn at less than half of their size */
  .sides colgroup, .sides thead { display: none; }
  .sides, .sides tbody { display: block; }
  .sides tr { display: grid; grid-template-columns: 2.75rem minmax(0, 1fr); }
  .sides .why { grid-template-columns: minmax(0, 1fr); }
  .sides .none, .sides .same .both:nth-child(-n+2) { display: none; }
  .list thead { display: none; }
  .list, .list tbody, .list tr, .list td { display: block; }
  .list tr { border-bottom: 1px solid var(--rule); padding: .4rem 0; }
  .list td { border: 0; padding: .1rem 0; }
  .list td:empty { display: none; }
  .list td[data-label]:not([data-label=""])::before { content: attr(data-label) ": ";
    color: var(--dim); }
}
@media print {
  :root { --paper: #fff; --ink: #000; --dim: #444; --soft: #fff; --link: #000; }
  nav, .skip { display: none; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  details { border: 0; padding: 0; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  details.pages { display: none; }
  .wide { overflow: visible; }
  h2, h3, h4, tr, .finding, .chart { break-inside: avoid; }
  .sides .old:not(.none) { border-left: 3px solid #a40e26; }
  .sides .new:not(.none) { border-left: 3px solid #116329; }
}
"""


def policy() -> str:
    """What a browser may do for the page: draw it in this style, and nothing else."""
    digest = base64.b64encode(hashlib.sha256(CSS.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
