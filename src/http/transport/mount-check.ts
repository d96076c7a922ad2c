import type { Logger } from "../../ports/runtime.js";
import type { ApiRequest } from "../../ports/transport.js";

/**
 * Watches whether requests come below the path that `publicUrl` names, and warns of the first that does not. A proxy may take the beginning
 * of that path away, so its end counts.
 */
export function createMountCheck(publicUrl: string | undefined, logger: Logger): (request: ApiRequest) => void {
  if (publicUrl === undefined) return () => undefined;
  const { origin, pathname } = new URL(publicUrl);
  const publicPath = pathname.replace(/\/$/, "");
  let hasWarned = false;
  return ({ basePath = "" }) => {
    if (hasWarned || publicPath.endsWith(basePath)) return;
    hasWarned = true;
    const fix = `Links, issuers and redirects miss it. Set publicUrl to ${origin}${basePath}, unless a proxy adds that path.`;
    logger.warn({ basePath, publicUrl }, `The service is mounted below a path that publicUrl does not have. ${fix}`);
  };
}
