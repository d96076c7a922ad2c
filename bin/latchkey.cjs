#!/usr/bin/env node
// The command of the package: the syntax of 2009 and no imports, so that every Node that is too old can say so.
"use strict";

var version = process.versions.node.split(".");
var major = Number(version[0]);

if (major > 22 || (major === 22 && Number(version[1]) >= 12)) require("./start.cjs");
else {
  console.error("latchkey needs Node 22.12 or later. This is Node v".concat(process.versions.node, "."));
  process.exitCode = 1;
}
