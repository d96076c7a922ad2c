import { data, flag, object, type Schema } from "../../http/schema/fields.js";
import type { UserCriteria } from "../users/schema.js";

/** The body of an export of users. */
export interface ExportUsersRequest {
  /** Whether with hashes of passwords and second factors. Default false; needs the grant `POST` on `/api/user/export/password-hashes`. */
  readonly includePasswordHashes: boolean;
  /** Criteria as of a user search; its order and page say nothing here. Default: all users. */
  readonly search: UserCriteria;
}

/** Which users are exported. Their criteria are parsed as those of a search. */
export const exportUsersRequest: Schema<ExportUsersRequest> = object({
  includePasswordHashes: flag().default(false),
  search: data().default({}),
});
