/** The API described: as a value, over HTTP, and on a page. Run it: `node examples/openapi.ts`. */
import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import whole from "latchkey/openapi.json" with { type: "json" };

/** A service that behaves like one release, whose document everybody may read; the page is at `/api/docs`. */
export function createDocumentedService(version: string): Promise<IdentityService> {
  return createIdentityService({ storage: memoryStorage(), version, docs: true });
}

if (import.meta.main) {
  const identity = await createDocumentedService("1.44.0");

  // As a file of the package: every version in one.
  console.log(Object.keys(whole.paths).length > 100);

  // In process, to write it to a file or to check a client against it.
  const document = await identity.system.openApi();
  console.log(document.openapi, document.info);

  // Over HTTP, as a generator of clients reads it. Groups are searched from 1.45.0 on.
  const { status, headers, body } = await identity.inject({ url: "/api/openapi.json" });
  console.log(
    status,
    headers["content-type"],
    "/api/group" in JSON.parse(body).paths,
    "/api/group/search" in JSON.parse(body).paths,
  );

  const page = await identity.inject({ url: "/api/docs" });
  console.log(page.status, page.headers["content-type"]);
  await identity.close();
}
