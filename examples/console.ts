/** The console for administrators in an Express app, with the app's own name and colors, and a page of the app inside of it. */
import express, { type Express } from "express";
import { createIdentityService } from "latchkey";
import { adminConsole, type HostAdministrator } from "latchkey/console";
import { memoryStorage } from "latchkey/memory";
import type { ApiRequest } from "latchkey/ports";

/** The app, and the path of the link for the first administrator. */
export async function createApp(): Promise<{ readonly app: Express; readonly setUpPath: string | undefined }> {
  const identity = await createIdentityService({ storage: memoryStorage(), auditChanges: true });
  const admin = adminConsole(identity, {
    brand: { name: "Shop", tokens: { "--accent": "#7a1f5c" } },
    hiddenAreas: ["forms"],
    links: [{ label: "Help", href: "https://shop.example.com/help" }],
    tabs: [{ id: "orders", label: "Orders", url: "/orders" }],
  });

  const app = express();
  app.use("/admin", admin);
  app.get("/orders", (_request, response) => void response.send("Orders of this week"));
  const setUp = await admin.issueSetUp();
  return { app, setUpPath: setUp && `/admin/set-up#${setUp.token}` };
}

/** The console of an app that signs its administrators in itself. */
export async function createAppWithSignIn(
  findAdministrator: (request: ApiRequest) => HostAdministrator | undefined,
): Promise<Express> {
  const identity = await createIdentityService({ storage: memoryStorage() });
  const app = express();
  app.use("/admin", adminConsole(identity, { authorize: async (request) => findAdministrator(request) })); // { id, name, role }
  return app;
}

if (import.meta.main) {
  const { app, setUpPath } = await createApp();
  app.listen(3000, () => console.log(`http://localhost:3000${setUpPath}`));
}
