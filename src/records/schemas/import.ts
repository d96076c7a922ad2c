export { exportUsersRequest } from "../bulk-users/export-schema.js";
export { refreshTokenImportRequest } from "../bulk-users/refresh-token-schema.js";
export { importOptions, removeUsersRequest, userImportRequest } from "../bulk-users/schema.js";
export { importJobOptions } from "../import-jobs/schema.js";
