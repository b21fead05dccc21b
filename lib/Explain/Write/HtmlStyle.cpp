//===- HtmlStyle.cpp - The page's looks and behaviour ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Html.h"
#include "Explain/Write/Palette.h"

using namespace wf::explain;

static const char rules[] = R"css(
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; margin: .5rem 0; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
p { margin: .4rem 0; max-width: 60rem; }
a { color: var(--link); }
code, pre, .listing { font-family: ui-monospace, "SF Mono", Menlo, Consolas,
  monospace; font-size: .85rem; }
pre, .scroll { background: var(--panel); border: 1px solid var(--rule);
  border-radius: 6px; padding: .6rem .8rem; overflow-x: auto; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: .15rem .7rem .15rem 0;
  vertical-align: top; }
th { font-weight: 600; border-bottom: 1px solid var(--rule); }
.index td, .index th { border-bottom: 1px solid var(--rule);
  padding-top: .3rem; padding-bottom: .3rem; }
.listing td { white-space: nowrap; padding: 0 .9rem 0 0; }
.listing td.says { white-space: normal; min-width: 18rem; }
.listing tr.label td { color: var(--faint); padding-top: .4rem; }
.listing tr.i:hover td, .listing tr.on td { background: var(--hover); }
.listing tr.dim { opacity: .25; }
.listing .wait { color: var(--faint); }
.legend { display: flex; flex-wrap: wrap; gap: .3rem .5rem; margin: .4rem 0; }
.legend button { font: inherit; font-size: .85rem; color: inherit;
  background: none; border: 1px solid var(--rule); border-radius: 999px;
  padding: .05rem .7rem; cursor: pointer; }
.legend button[aria-pressed=true] { border-color: currentColor;
  background: var(--hover); }
.legend i { display: inline-block; width: .7rem; height: .7rem;
  border-radius: 2px; background: currentColor; margin-right: .4rem; }
.facts { color: var(--faint); }
.verdict { font-size: 1.05rem; }
.tag { font-weight: 600; }
.warning { border-left: 3px solid var(--order); padding-left: .7rem; }
ul { margin: .3rem 0; padding-left: 1.2rem; max-width: 60rem; }
svg { display: block; }
svg text { fill: var(--ink); font: 11px ui-monospace, Menlo, Consolas,
  monospace; }
svg .faint { fill: var(--faint); }
svg .axis { stroke: var(--rule); }
svg .loop { fill: var(--hover); }
svg rect[data-first] { stroke: var(--panel); }
svg .mark { fill: var(--ink); opacity: .12; }
svg .box { fill: var(--panel); stroke-width: 1.5; }
svg .arrow { fill: none; stroke: var(--faint); stroke-width: 1.5; }
)css";

static const char behaviour[] = R"js(
document.addEventListener('click', function (event) {
  var button = event.target.closest('.legend button');
  if (!button) return;
  var section = button.closest('section');
  var on = button.getAttribute('aria-pressed') !== 'true';
  section.querySelectorAll('.legend button').forEach(function (other) {
    other.setAttribute('aria-pressed', other === button && on);
  });
  section.querySelectorAll('.listing tr.i').forEach(function (row) {
    row.classList.toggle('dim', on && !row.classList.contains(
        'g-' + button.dataset.group));
  });
});
// A row and its column in the timeline show each other.
document.addEventListener('mouseover', function (event) {
  var row = event.target.closest('tr.i');
  var bar = event.target.closest('rect[data-first]');
  var section = event.target.closest('section');
  if (!section || (!row && !bar)) return;
  section.querySelectorAll('tr.on').forEach(function (other) {
    other.classList.remove('on');
  });
  var mark = section.querySelector('svg .mark');
  if (row && mark) {
    var width = +mark.getAttribute('width'), left = +mark.dataset.left;
    mark.setAttribute('x', left + width * row.dataset.i);
  }
  if (bar) {
    bar.dataset.at.split(' ').forEach(function (i) {
      var at = section.querySelector('tr.i[data-i="' + i + '"]');
      if (at) at.classList.add('on');
    });
  }
});
)js";

std::string html::style() {
  std::string out = ":root { color-scheme: light dark; --ground: #ffffff; "
                    "--ink: #1d2126; --panel: #f6f7f9; --rule: #d5d9df; "
                    "--faint: #5c6066; --hover: #e8ecf3; --link: #1f55c4; ";
  for (const RoleGroup &g : roleGroups())
    out += std::string("--") + g.name + ": " + g.light + "; ";
  out += "}\n@media (prefers-color-scheme: dark) { :root { --ground: #14171b; "
         "--ink: #e3e6ea; --panel: #1c2026; --rule: #363c45; --faint: "
         "#9aa0a8; --hover: #2a303a; --link: #8db4ff; ";
  for (const RoleGroup &g : roleGroups())
    out += std::string("--") + g.name + ": " + g.dark + "; ";
  out += "} }\n";
  for (const RoleGroup &g : roleGroups())
    out += std::string(".g-") + g.name + " .text, .legend .g-" + g.name +
           " i { color: var(--" + g.name + "); } svg .g-" + g.name +
           " { fill: var(--" + g.name + "); stroke: var(--" + g.name + "); }\n";
  return out + rules;
}

std::string_view html::script() { return behaviour; }
