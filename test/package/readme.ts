/** The first example of the README in an empty project that has what its install line names. Run by `npm run package:check`. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { tryFirstExample } from "../docs/support/first-example.ts";
import { addFile, makeProject, removeProjects } from "./support/projects.ts";

after(removeProjects);

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const [, installLine = ""] = /^npm install latchkey (.+)$/m.exec(readme) ?? [];
const [, example = ""] = /```ts\n([\s\S]*?)\n```/.exec(readme) ?? [];

test("the first example calls webhooks, runs lambdas, patches groups and shares its transaction", async () => {
  const project = makeProject(installLine.split(" "));
  addFile(project, "main.ts", example);
  assert.deepEqual(await tryFirstExample(project, "main.ts"), {
    received: ["group.create", "group.create", "group.update", "user.create"],
    department: "Engines",
    patched: { tags: ["a", "b"] },
    project: "Members of Atlas",
    teams: ["Editors", "Members of Atlas"],
  });
});
