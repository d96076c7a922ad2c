import type { WriteCall } from "../operation.js";
import type { BaseRecord, Family, OutboundUrl } from "./family.js";

/** Logs forbidden URLs of a saved record: each once in this process, until it is corrected. */
export async function reportForbiddenUrls<Wire extends BaseRecord, Request>(
  { service, tx }: WriteCall,
  { rules, wrapper }: Family<Wire, Request>,
  record: Wire,
): Promise<void> {
  for (const called of rules.outboundUrls?.(record) ?? []) {
    const setting = `${wrapper}.${called.setting}`;
    const key = `${setting} ${record.id}`;
    const reason = called.url === undefined ? undefined : await service.explainForbiddenUrl(called.url);
    const fields = { [`${wrapper}Id`]: record.id, setting };
    tx.afterCommit(() => {
      if (reason === undefined) service.warnings.forget(key);
      else service.warnings.warn(key, fields, `${nameOf(wrapper, record.id, called)} ${called.loss}: ${reason}`);
    });
  }
}

function nameOf(wrapper: string, id: string, { subject }: OutboundUrl): string {
  return subject ?? `The ${wrapper.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${id}`;
}
