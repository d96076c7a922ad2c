/** Port for directories: users and applications in tables of your own. */
export type {
  Directory,
  DirectoryApplication,
  DirectoryContext,
  DirectoryRegistration,
  DirectoryRole,
  DirectoryUser,
} from "../../src/ports/directory.js";
