#!/usr/bin/env node
// The command of the package: old syntax and no imports, so that a Node that is too old can say so.
"use strict";

const [major, minor] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 12)) import("../dist/cli.js");
else {
  console.error(`latchkey needs Node 22.12 or later. This is Node v${process.versions.node}.`);
  process.exitCode = 1;
}
