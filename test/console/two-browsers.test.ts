import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { openPage, startStage } from "./support/browser.js";

requirement(
  "console.conflict",
  "of two browsers that edit one record, the second chooses for each member, and loses nothing",
  async () => {
    await using stage = await startStage();
    const { group } = await stage.identity.groups.create({ group: { name: "Editors" } });
    const path = `/groups/${group.id}/edit`;
    await using first = await openPage(stage, { path });
    await using second = await openPage(stage, { path });
    const nameOf = ({ page }: typeof first) => page.getByRole("textbox", { name: "Name" }).first();
    await nameOf(first).fill("Editors of the first");
    await nameOf(second).fill("Editors of the second");
    await first.page.getByRole("button", { name: "Save" }).first().click();
    await first.page.getByText("Saved.").waitFor();
    await second.page.getByRole("button", { name: "Save" }).first().click();
    const dialog = second.page.getByRole("dialog", { name: "Changed meanwhile" });
    await dialog.waitFor();
    expect(await dialog.innerText()).toMatch(/Editors of the first[\s\S]*|Editors of the second/);
    expect((await stage.identity.groups.retrieve({ groupId: group.id })).group.name).toBe("Editors of the first");
    await dialog.getByRole("radio", { name: /Editors of the second/ }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    await second.page.getByText("Saved.").waitFor();
    expect((await stage.identity.groups.retrieve({ groupId: group.id })).group.name).toBe("Editors of the second");
  },
);
