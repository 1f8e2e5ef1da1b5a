// The page is whole without this: here one behaviour, and one step of it, is
// chosen out of all. Text is put in as text, never as markup.
"use strict";
{
  const all = (root, selector) => [...root.querySelectorAll(selector)];
  const make = (name, text, className) => {
    const e = document.createElement(name);
    if (text !== undefined) e.textContent = text;
    if (className) e.className = className;
    return e;
  };

  class View {
    constructor(article) {
      this.article = article;
      this.states = JSON.parse(article.querySelector("script").textContent);
      this.steps = all(article, ".step");
      this.drawn = new Map(); // for each step's number what is drawn of it
      for (const g of all(article, ".lanes g[data-step]")) {
        const number = g.dataset.step;
        this.drawn.set(number, [...(this.drawn.get(number) || []), g]);
      }
      this.rows = all(article, ".truths tr");
      this.panel = article.querySelector(".panel");
      this.output = article.querySelector("output");
      this.fields = article.querySelector(".fields");
      this.at = 0;
      article.querySelector(".lanes").addEventListener("click", (e) => {
        const g = e.target.closest("g[data-step]");
        const to = g ? this.steps.findIndex((s) => s.dataset.step === g.dataset.step) : -1;
        if (to >= 0) this.go(to);
      });
      for (const part of all(article, ".moves, .more")) part.hidden = false;
      const on = (selector, f) => article.querySelector(selector).addEventListener("click", f);
      on(".first", () => this.go(0));
      on(".back", () => this.go(this.at - 1));
      on(".next", () => this.next());
      on(".last", () => this.go(this.steps.length - 1));
      on(".help", help);
      on(".all", () => choose({ all: !chosen.all }));
      on(".every", () => choose({ every: !chosen.every }));
    }

    next() {
      const last = this.at === this.steps.length - 1;
      this.go(last && this.states.repeat >= 0 ? this.states.repeat : this.at + 1);
    }

    // set shows the i-th entry, or the nearest one there is.
    set(i) {
      this.at = Math.max(0, Math.min(i, this.steps.length - 1));
      this.show();
    }

    // go is set, and the address says so: it can be copied, and opened again.
    go(i) {
      this.set(i);
      if (window.getSelection && !getSelection().isCollapsed) getSelection().removeAllRanges();
      address("#" + this.steps[this.at].id);
    }

    show() {
      for (const e of all(this.article, ".on, .cause")) e.classList.remove("on", "cause");
      const step = this.steps[this.at];
      const mark = (number, name) => {
        for (const g of this.drawn.get(number) || []) g.classList.add(name);
      };
      step.classList.add("on");
      for (const number of step.dataset.causes.split(" ")) mark(number, "cause");
      mark(step.dataset.step, "on");
      for (const row of this.rows) row.cells[this.at + 1].classList.add("on");
      const last = this.steps[this.steps.length - 1].dataset.step;
      this.output.textContent = "step " + step.dataset.step + " of " + last;
      this.panel.classList.toggle("one", !chosen.every);
      this.article.querySelector(".all").checked = chosen.all;
      this.article.querySelector(".every").checked = chosen.every;
      this.table();
      this.follow();
    }

    // follow keeps what is shown of the step in view, inside of its own part of
    // the page: the page itself stays where its reader has put it.
    follow() {
      const pane = this.article.querySelector(".lanes");
      const head = pane.querySelector(".heads");
      const box = (this.drawn.get(this.steps[this.at].dataset.step) || []).find((g) => g.querySelector(":scope > .card"));
      if (box) reveal(pane, box, head ? head.offsetHeight : 0);
      if (chosen.every) reveal(this.panel, this.steps[this.at], 50);
    }

    // table is the whole state, each field with the step that last changed it.
    table() {
      this.fields.replaceChildren();
      if (!chosen.all) return;
      const values = [...this.states.first];
      const since = values.map(() => 0);
      for (let i = 1; i <= this.at; i++) {
        for (const { f, v } of this.states.sets[i]) {
          values[f] = v;
          since[f] = i;
        }
      }
      const table = make("table");
      values.forEach((v, f) => {
        const row = table.insertRow();
        row.append(make("th", this.states.names[f]), make("td", v));
        const cell = row.insertCell();
        if (since[f] > 0) {
          const to = make("button", this.steps[since[f]].dataset.step);
          to.title = "the step that made it so";
          to.addEventListener("click", () => this.go(since[f]));
          cell.append(to);
        }
        row.classList.toggle("on", this.at > 0 && since[f] === this.at);
      });
      this.fields.append(table);
    }
  }

  // reveal scrolls a pane as little as it takes to show a part of it.
  function reveal(pane, part, top) {
    const p = pane.getBoundingClientRect();
    const b = part.getBoundingClientRect();
    const gap = 24;
    if (b.top < p.top + top + gap) pane.scrollTop -= p.top + top + gap - b.top;
    else if (b.bottom > p.bottom - gap) pane.scrollTop += Math.min(b.bottom - p.bottom + gap, b.top - p.top - top - gap);
    if (b.left < p.left + gap) pane.scrollLeft -= p.left + gap - b.left;
    else if (b.right > p.right - gap) pane.scrollLeft += Math.min(b.right - p.right + gap, b.left - p.left - gap);
  }

  // address puts the step shown into the address, a little later: browsers refuse
  // to do so again and again while a key is held down.
  let writing = 0;
  const address = (hash) => {
    clearTimeout(writing);
    writing = setTimeout(() => {
      try {
        history.replaceState(null, "", hash);
      } catch {
        // Some browsers keep the address of a file as it is.
      }
    }, 150);
  };

  const chosen = { all: false, every: false };
  const choose = (what) => {
    Object.assign(chosen, what);
    views[current].show();
  };
  const dialog = document.getElementById("help");
  const help = () => (dialog.open ? dialog.close() : dialog.showModal());

  let views = [];
  let current = 0;
  // open shows a behaviour, at one of its entries.
  const open = (i, entry) => {
    current = (i + views.length) % views.length;
    views.forEach((v, j) => v.article.classList.toggle("on", j === current));
    const view = views[current];
    for (const a of all(document, ".verdicts a")) a.classList.toggle("on", a.hash === "#" + view.article.id);
    view.set(entry === undefined ? view.at : entry);
  };
  // turn opens the next behaviour, or the one before.
  const turn = (by) => {
    open(current + by);
    views[current].go(views[current].at);
    views[current].article.scrollIntoView();
  };
  // follow opens what the part of the address after # names.
  const follow = (hash) => {
    const id = hash.slice(1);
    const i = views.findIndex((v) => v.article.id === id || id.startsWith(v.article.id + "-"));
    if (i < 0) return false;
    const entry = views[i].steps.findIndex((s) => s.id === id);
    open(i, entry < 0 ? undefined : entry);
    return true;
  };

  document.documentElement.classList.add("js");
  views = all(document, ".behaviour").map((a) => new View(a));
  if (views.length > 0) {
    if (!follow(location.hash)) open(0, 0);
    document.addEventListener("click", (e) => {
      const a = e.target.closest("a[href^='#']");
      if (!a) return;
      e.preventDefault();
      address(a.hash);
      follow(a.hash);
      if (a.closest(".verdicts")) views[current].article.scrollIntoView();
    });
    window.addEventListener("hashchange", () => follow(location.hash));
    const keys = {
      ArrowRight: () => views[current].next(),
      ArrowLeft: () => views[current].go(views[current].at - 1),
      Home: () => views[current].go(0),
      End: () => views[current].go(views[current].steps.length - 1),
      a: () => choose({ all: !chosen.all }),
      s: () => choose({ every: !chosen.every }),
      n: () => turn(1),
      p: () => turn(-1),
      "?": help,
    };
    keys.ArrowDown = keys.j = keys.ArrowRight;
    keys.ArrowUp = keys.k = keys.ArrowLeft;
    document.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || (dialog.open && e.key !== "?")) return;
      const f = Object.hasOwn(keys, e.key) && keys[e.key];
      if (!f) return;
      e.preventDefault();
      f();
    });
  }
}
