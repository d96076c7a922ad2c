// Stored themes, as pages show them.
import { expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { uuid } from "../support/world.js";
import { login, type Stage, startStage } from "./support/stage.js";

const defaultThemeId = "75a068fd-e94b-451a-9aeb-3ddb9a3b5987";

async function readStyles({ visitor }: Pick<Stage, "visitor">): Promise<string> {
  const page = await visitor.open(login);
  const styles = await visitor.open(page.find(/<link rel="stylesheet" href="([^"]*)"/));
  expect(styles.response.headers["cache-control"]).toContain("immutable");
  return styles.response.body;
}

requirement(
  "pages.stored-themes",
  "a page has the theme of its application, else of its tenant, else the default one",
  async () => {
    const stage = await startStage();
    const { setApplication, setTenant, visitor, world } = stage;
    const setTheme = async (id: string, theme: object): Promise<unknown> =>
      expectOk(await world.caller.patch(`/api/theme/${id}`, { theme }));
    for (const [number, name] of [
      [1, "Of the tenant"],
      [2, "Of the application"],
    ] as const)
      expectOk(await world.caller.post(`/api/theme/${uuid(number)}`, { theme: { name } }));
    const header = async (): Promise<string> => (await visitor.open(login)).find(/<header>([^<]*)</);
    expect(await header()).toBe("Shop");
    await setTheme(defaultThemeId, { title: "Default title", colors: { accent: "#123456" } });
    expect(await header()).toBe("Default title");
    expect(await readStyles(stage)).toContain(":root{--accent:#123456;}");
    await setTenant({ themeId: uuid(1) });
    expect(await header()).toBe("Shop");
    await setTheme(uuid(1), { title: "Tenant title" });
    expect(await header()).toBe("Tenant title");
    await setApplication({ themeId: uuid(2) });
    await setTheme(uuid(2), {
      messages: { default: { "login-button": "Continue" }, localized: { de: { "login-button": "Weiter" } } },
    });
    expect((await visitor.open(login)).response.body).toContain(">Continue</button>");
    expect((await visitor.open(`${login}?locale=de`)).response.body).toContain(">Weiter</button>");
    await setApplication({ themeId: null });
    expect(await header()).toBe("Tenant title");
  },
);

requirement("pages.stored-themes", "the theme of the host wins, and where it says nothing the stored one counts", async () => {
  const { visitor, world } = await startStage({
    theme: ({ applicationId }) => (applicationId === undefined ? undefined : { title: "Of the host" }),
  });
  expectOk(await world.caller.patch(`/api/theme/${defaultThemeId}`, { theme: { title: "Stored" } }));
  expect((await visitor.open(login)).find(/<header>([^<]*)</)).toBe("Of the host");
  expect((await visitor.open("/password/forgot")).find(/<header>([^<]*)</)).toBe("Stored");
});

requirement("pages.escaped", "a stored theme repeats no markup", async () => {
  const { visitor, world } = await startStage();
  const probe = `"><script>alert(1)</script>`;
  const theme = { title: probe, messages: { default: { "login-button": probe, "login-id": probe } } };
  expectOk(await world.caller.patch(`/api/theme/${defaultThemeId}`, { theme }));
  const page = await visitor.open(login);
  expect(page.response.body).not.toContain("<script");
  expect(page.find(/<header>([^<]*)</)).toBe(probe);
});
