/** The port of directories, for users and applications in tables of your own. */
export type {
  Directory,
  DirectoryApplication,
  DirectoryContext,
  DirectoryRegistration,
  DirectoryRole,
  DirectoryUser,
} from "../../src/ports/directory.js";
