// SPDX-License-Identifier: Apache-2.0

/// How the page looks, on a light or a dark screen and on paper. Colours only repeat what letters say.
enum HTMLStyle {
  static let text = """
    :root {
      --paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --panel: #f6f8fa; --focus: #0550ae;
      --trust: #b7e4c0; --pin: #ffe08a; --no: #e4e8ec; --bad: #ffb3ad; --bad-ink: #a40e26; --good-ink: #116329;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #0d1117; --ink: #e6edf3; --soft: #9ea7b3; --line: #30363d; --panel: #161b22; --focus: #79c0ff;
        --trust: #1f5f33; --pin: #6b5200; --no: #262c33; --bad: #8e1519; --bad-ink: #ff9492; --good-ink: #7ee2a0;
      }
    }
    * { box-sizing: border-box; }
    body { margin: 0 auto; padding: 1rem 1.5rem 3rem; background: var(--paper); color: var(--ink);
      font: 15px/1.45 system-ui, sans-serif; }
    h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 1.5rem 0 .3rem; }
    h3 { font-size: 1rem; margin: .8rem 0 .3rem; }
    .good { color: var(--good-ink); } .bad { color: var(--bad-ink); } .soft, footer { color: var(--soft); }
    .summary { margin: .2rem 0 .8rem; font-weight: 600; }
    .filters { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; align-items: center; margin-bottom: .6rem; }
    input, select, button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line);
      border-radius: 4px; padding: .15rem .4rem; }
    :focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
    .map { overflow: auto; max-height: 75vh; border: 1px solid var(--line); }
    .map table { border-collapse: separate; border-spacing: 0; font-size: 12px; }
    .map th { font-weight: 400; background: var(--panel); }
    .map thead th { position: sticky; top: 0; z-index: 1; vertical-align: bottom; padding: .3rem .1rem; }
    .map thead th span { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 18rem; white-space: nowrap;
      overflow: hidden; text-overflow: ellipsis; }
    .map tbody th { position: sticky; left: 0; text-align: left; white-space: nowrap; padding: 0 .5rem; }
    .map td { min-width: 1.5em; height: 1.6em; padding: 0 .15em; text-align: center; cursor: pointer;
      border: 1px solid var(--paper); }
    .map td:empty { cursor: default; }
    td.trust { background: var(--trust); } td.pin { background: var(--pin); } td.no { background: var(--no); }
    td.bad, td.split { background: var(--bad); color: var(--ink); font-weight: 700; }
    td.current { outline: 3px solid var(--focus); outline-offset: -2px; }
    .plain { border-collapse: collapse; font-size: 13px; margin: .5rem 0; }
    .plain th, .plain td { border: 1px solid var(--line); padding: .15rem .5rem; text-align: left; vertical-align: top;
      font-weight: 400; max-width: 28rem; }
    .plain thead th { font-weight: 600; background: var(--panel); }
    details { margin: 1rem 0; } summary { cursor: pointer; font-weight: 600; }
    aside { position: fixed; right: 0; top: 0; bottom: 0; width: min(46rem, 100%); overflow: auto; padding: 1rem;
      background: var(--panel); border-left: 2px solid var(--line); z-index: 3; }
    aside .close { float: right; }
    .failures article { border-top: 1px solid var(--line); padding: .4rem 0; }
    ul.findings { padding-left: 1.1rem; margin: .3rem 0; } li { white-space: pre-wrap; overflow-wrap: anywhere; }
    code { font: 12px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
    svg { display: block; max-width: 100%; height: auto; margin: .5rem 0; }
    svg rect { fill: var(--paper); stroke: var(--soft); stroke-width: 1.5; }
    svg .anchor rect { stroke-width: 4; } svg .fault rect { stroke: var(--bad-ink); stroke-width: 3; }
    svg .pinned rect { fill: var(--pin); } svg .unused rect { stroke-dasharray: 5 4; }
    svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } svg .note { fill: var(--soft); font-size: 11px; }
    svg .fault .note { fill: var(--bad-ink); } svg path { stroke: var(--soft); fill: none; stroke-width: 1.5; }
    @page { size: A4 landscape; margin: 12mm; }
    @media print {
      :root { --paper: #fff; --ink: #000; --soft: #444; --line: #999; --panel: #fff; --trust: #b7e4c0; --pin: #ffe08a;
        --no: #e4e8ec; --bad: #ffb3ad; --bad-ink: #a40e26; --good-ink: #116329; }
      body { padding: 0; font-size: 10pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      .filters, .close { display: none; }
      .map { overflow: visible; max-height: none; border: 0; }
      .map thead th, .map tbody th { position: static; }
      .map.wide thead th span { display: none; }
      .map.wide table { table-layout: fixed; width: 100%; } .map.wide thead th:first-child { width: 14em; }
      .map.wide td { min-width: 0; padding: 0; border: 0; font-size: 0; }
      aside { position: static; width: auto; border: 1px solid var(--line); break-inside: avoid; }
      .failures article { break-inside: avoid; }
    }
    """
}
