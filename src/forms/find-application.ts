import { fieldError } from "../errors/identity-error.js";
import { directoryContext, type OperationCall } from "../operations/operation.js";
import { findHolderIds } from "../operations/references/references.js";
import type { DirectoryApplication } from "../ports/directory.js";
import { formsTable } from "../resources/forms/family.js";
import type { Form } from "../resources/forms/schema.js";

/**
 * The application that a submission is for: the one that is named, else the only one that uses the form; undefined where none does.
 * @throws IdentityError 400 `[invalid]applicationId` for one that is not there or inactive, `[missing]applicationId` where several use it.
 */
export async function findApplication(
  call: OperationCall,
  form: Form | undefined,
  named: string | undefined,
): Promise<DirectoryApplication | undefined> {
  if (named !== undefined) {
    const [application] = await findActive(call, [named]);
    if (application === undefined) throw fieldError("invalid", "applicationId");
    return application;
  }
  const holders = form === undefined ? [] : await findHolderIds(call, formsTable, form.id);
  const [application, another] = holders.length === 0 ? [] : await findActive(call, holders);
  if (another !== undefined) throw fieldError("missing", "applicationId");
  return application;
}

// The directory is asked for these, within the scope; that it keeps to it is checked all the same.
async function findActive(call: OperationCall, ids: readonly string[]): Promise<readonly DirectoryApplication[]> {
  const found = await call.service.directory.findApplications(directoryContext(call), ids);
  const isSeen = ({ tenantId }: DirectoryApplication): boolean =>
    call.scope.kind === "global" || tenantId === call.scope.tenantId;
  return found.filter((application) => ids.includes(application.id) && isSeen(application) && application.active !== false);
}
