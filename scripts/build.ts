/** `npm run build` and `npm start`: writes `dist/`. With `--clean` it empties the folder first. The other argument is another folder, without the console. */
import { parseArgs } from "node:util";
import { build } from "rolldown";
import config from "../rolldown.config.ts";
import { buildConsoleWhenStale } from "./build-console.ts";

const { positionals, values } = parseArgs({ allowPositionals: true, options: { clean: { type: "boolean", default: false } } });
const { output, ...input } = config;
await build({ ...input, output: { ...output, cleanDir: values.clean, dir: positionals[0] ?? "dist" } });
if (positionals[0] === undefined) await buildConsoleWhenStale();
