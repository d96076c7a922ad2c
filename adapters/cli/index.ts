#!/usr/bin/env node
import { once } from "node:events";
import { run } from "./run.js";

const { argv, env, stderr, stdin, stdout } = process;

process.exitCode = await run(argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  untilStopped: () => Promise.race(["SIGINT", "SIGTERM"].map((signal) => once(process, signal))),
});
