/** The apps of README.md and docs/try-it.md in empty projects that have what their install lines name. Run by `npm run package:check`. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { tryFirstExample } from "../docs/support/first-example.ts";
import { tryReadmeExample } from "../docs/support/readme-example.ts";
import { addFile, makeProject, removeProjects } from "./support/projects.ts";

after(removeProjects);

/** A project with what the first install line of a page names, and the page's first program as `main.ts`. */
function projectOf(page: string): string {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");
  const [, installLine = ""] = /^npm install latchkey (.+)$/m.exec(text) ?? [];
  const [, example = ""] = /```[jt]s\n([\s\S]*?)\n```/.exec(text) ?? [];
  const project = makeProject(installLine.split(" "));
  addFile(project, "main.ts", example);
  return project;
}

test("the app of the README signs users up, logs them in and protects a route", async () => {
  assert.deepEqual(await tryReadmeExample(projectOf("README.md"), "main.ts"), {
    signUp: 200,
    signUpAgain: 400,
    wrongPassword: [401, ["message"]],
    login: 200,
    withoutToken: 401,
    withoutBody: [400, 400],
    email: "grace@example.com",
  });
});

test("the app of docs/try-it.md calls webhooks, runs lambdas, patches groups and shares its transaction", async () => {
  assert.deepEqual(await tryFirstExample(projectOf("docs/try-it.md"), "main.ts"), {
    received: ["group.create", "group.create", "group.update", "user.create"],
    department: "Engines",
    patched: { tags: ["a", "b"] },
    project: "Members of Atlas",
    teams: ["Editors", "Members of Atlas"],
  });
});
