// SPDX-License-Identifier: Apache-2.0

/// What the page does: it draws the map, filters it, and shows the trace of a row. All text is set as text.
enum HTMLScript {
  static let text = #"""

    "use strict";
    const data = JSON.parse(document.getElementById("data").textContent);
    const panel = document.getElementById("trace");
    const words = { "trusted": "trust", "pin-mismatch": "pin", "untrusted": "no" };
    let opener = null;

    function make(name, attributes, ...children) {
      const element = document.createElement(name);
      for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
      element.append(...children);
      return element;
    }
    function draw(name, attributes, ...children) {
      const element = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      element.append(...children);
      return element;
    }
    function short(name) {
      const match = /(?:^|, ?)CN=([^,]*)/.exec(name);
      const text = match ? match[1] : name || "(no name)";
      return text.length > 44 ? text.slice(0, 43) + "…" : text;
    }

    class Suite {
      constructor(source, section) {
        Object.assign(this, source);
        this.section = section;
        this.rows = this.cells.map(([scenario, policy, chain, expected, flags, verdicts], index) => {
          const found = verdicts.map(place => this.verdicts[place]);
          const [name, clause] = this.scenarios[scenario];
          const [policyName, isPreset] = this.policies[policy];
          const codes = found.flatMap(verdict => verdict.findings.map(finding => finding[0]));
          return { index, scenario, policy, chain, expected, flags, found, name, clause, policyName, isPreset,
            title: name + " / " + policyName, outcome: found[0] ? found[0].outcome : "",
            haystack: (name + "\n" + policyName + "\n" + clause + "\n" + codes.join("\n")).toLowerCase() };
        });
        this.form = section.querySelector(".filters");
        this.map = section.querySelector(".map");
        this.form.addEventListener("submit", event => event.preventDefault());
        this.form.addEventListener("input", () => this.show());
        this.map.addEventListener("click", event => this.open(event.target.closest("td[data-row]")));
        this.map.addEventListener("keydown", event => this.move(event));
        this.show();
        this.listFailures();
      }

      word(row) {
        if (row.flags & 2) return ["split", "split"];
        const word = words[row.outcome] || "";
        return row.flags & 1 ? ["bad", word + "!"] : [word, word];
      }

      show() {
        const filters = new FormData(this.form);
        const text = filters.get("text").trim().toLowerCase();
        const rows = this.rows.filter(row => (!text || row.haystack.includes(text))
          && (!filters.get("verdict") || row.outcome === filters.get("verdict"))
          && (filters.get("state") !== "bad" || row.flags) && (filters.get("state") !== "split" || row.flags & 2)
          && (!filters.get("presets") || row.isPreset));
        const policies = [...new Set(rows.map(row => row.policy))];
        const scenarios = [...new Set(rows.map(row => row.scenario))];
        const isWide = policies.length > 24;
        const places = new Map(rows.map(row => [row.scenario + ":" + row.policy, row]));
        const head = make("tr", {}, make("th", { scope: "col" }, "chain"));
        for (const policy of policies) {
          const name = this.policies[policy][0];
          head.append(make("th", { scope: "col", title: name }, make("span", {}, name)));
        }
        const body = make("tbody");
        for (const scenario of scenarios) {
          const [name, clause] = this.scenarios[scenario];
          const line = make("tr", {}, make("th", { scope: "row", title: clause }, name));
          for (const policy of policies) {
            const row = places.get(scenario + ":" + policy);
            if (!row) { line.append(make("td")); continue; }
            const [kind, word] = this.word(row);
            line.append(make("td", { class: kind, "data-row": row.index, tabindex: -1,
              "aria-label": row.title + ": " + word }, isWide ? word.replace(/^(.).*?(!?)$/, "$1$2") : word));
          }
          body.append(line);
        }
        this.map.classList.toggle("wide", isWide);
        this.map.replaceChildren(make("table", {}, make("thead", {}, head), body));
        const first = this.map.querySelector("td[data-row]");
        if (first) first.tabIndex = 0;
        this.form.elements.count.textContent = rows.length + " of " + this.rows.length + " rows";
      }

      move(event) {
        const cell = event.target.closest("td");
        const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
        if (!cell) return;
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.open(cell); return; }
        const step = steps[event.key];
        if (!step) return;
        event.preventDefault();
        const lines = [...cell.closest("tbody").rows];
        let [line, column] = [lines.indexOf(cell.parentNode), cell.cellIndex];
        for (;;) {
          line += step[0]; column += step[1];
          const next = lines[line] && column > 0 ? lines[line].cells[column] : null;
          if (!next) return;
          if (!next.dataset.row) continue;
          cell.tabIndex = -1; next.tabIndex = 0;
          next.focus();
          return;
        }
      }

      open(cell) {
        if (!cell || !cell.dataset.row) return;
        document.querySelectorAll("td.current").forEach(other => other.classList.remove("current"));
        cell.classList.add("current");
        opener = cell;
        const close = make("button", { type: "button", class: "close" }, "close");
        close.addEventListener("click", shut);
        panel.replaceChildren(close, this.trace(this.rows[cell.dataset.row]));
        panel.hidden = false;
        close.focus();
      }

      trace(row) {
        const article = make("article", {}, make("h3", {}, row.title));
        if (row.clause) article.append(make("p", { class: "soft" }, row.clause));
        article.append(make("p", {}, "expected: " + this.texts[row.expected]));
        const groups = row.flags & 2 ? row.found.map((verdict, place) => [verdict, this.backends[place]])
          : row.found.slice(0, 1).map(verdict => [verdict, this.backends.join(", ")]);
        for (const [verdict, names] of groups) {
          article.append(make("p", { class: row.flags ? "bad" : "good" },
            make("strong", {}, verdict.outcome), " (" + names + ")"));
          article.append(this.chain(verdict, this.chains[row.chain]));
          const list = make("ul", { class: "findings" });
          for (const [code, isError, depth, text] of verdict.findings) {
            list.append(make("li", { class: isError ? "bad" : "soft" }, make("code", {}, code),
              (depth < 0 ? "" : " (certificate " + depth + ")") + ": " + this.texts[text]));
          }
          if (verdict.findings.length) article.append(list);
          if (verdict.pins) {
            article.append(make("p", {}, "pins, scope " + verdict.pins.scope + ":",
              ...verdict.pins.pins.flatMap(pin => [make("br"), make("code", {}, pin)])));
          }
          if (verdict.attempts.length > 1) {
            const tried = make("ul", { class: "findings" });
            for (const [path, codes] of verdict.attempts) {
              tried.append(make("li", {}, path.map(place => short(this.certificates[place].subject)).join(" > ")
                + ": " + (codes.join(", ") || "acceptable")));
            }
            article.append(make("p", {}, "paths tried"), tried);
          }
        }
        return article;
      }

      /** The path from the anchor down to the leaf, and beside it what was sent but not used. */
      chain(verdict, sent) {
        const path = [...verdict.path].reverse();
        const unused = sent.filter(item => !verdict.path.includes(item));
        const height = 104;
        const picture = draw("svg", { viewBox: "0 0 660 " + (Math.max(path.length, unused.length, 1) * height + 4),
          role: "img", "aria-label": "the certificate chain" });
        path.forEach((place, line) => {
          const depth = path.length - 1 - line;
          const faults = verdict.findings.filter(finding => finding[1] && finding[2] === depth).map(finding => finding[0]);
          const isAnchor = verdict.anchored && line === 0;
          const isPinned = verdict.pins && verdict.pins.depth === depth;
          const kinds = [isAnchor && "anchor", isPinned && "pinned", faults.length && "fault"].filter(Boolean);
          const note = [isAnchor ? "anchor" : depth === 0 ? "leaf" : "issuer", isPinned && "pin met", ...faults];
          picture.append(this.box(this.certificates[place], 4, line * height + 4, kinds, note.filter(Boolean).join(", ")));
          if (line > 0) picture.append(draw("path", { d: "M160 " + (line * height - 20) + "v22m-5 -6l5 6l5 -6" }));
        });
        unused.forEach((item, line) => {
          const certificate = typeof item === "string" ? { subject: item, key: "", to: "", pin: "" } : this.certificates[item];
          picture.append(this.box(certificate, 340, line * height + 4, ["unused"], "sent, not used"));
        });
        return picture;
      }

      box(certificate, x, y, kinds, note) {
        const lines = [short(certificate.subject), certificate.key + (certificate.to ? ", to " + certificate.to.slice(0, 10) : ""),
          certificate.pin.slice(0, 38) + (certificate.pin ? "…" : ""), note];
        const group = draw("g", { class: kinds.join(" ") }, draw("rect", { x, y, width: 312, height: 78, rx: 6 }));
        lines.forEach((text, index) => {
          group.append(draw("text", { x: x + 10, y: y + 18 + index * 17, class: index ? "note" : "" }, text));
        });
        const names = (certificate.names || []).join(", ");
        group.append(draw("title", {}, certificate.subject + (names ? "\n" + names : "")));
        return group;
      }

      listFailures() {
        const failures = this.rows.filter(row => row.flags);
        if (!failures.length) return;
        const list = this.section.querySelector(".failures");
        list.append(make("h2", {}, "not as expected"));
        for (const row of failures.slice(0, 200)) list.append(this.trace(row));
        if (failures.length > 200) list.append(make("p", {}, failures.length - 200 + " more are in the map"));
      }
    }

    function shut() {
      panel.hidden = true;
      if (opener && opener.isConnected) opener.focus();
    }
    document.addEventListener("keydown", event => { if (event.key === "Escape" && !panel.hidden) shut(); });
    document.querySelectorAll("section[data-suite]").forEach(section => {
      new Suite(data.suites[section.dataset.suite], section);
    });

    """#
}
