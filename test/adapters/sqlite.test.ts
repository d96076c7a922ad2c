import { describeStorage } from "latchkey/contract";
import { sqliteStorage } from "latchkey/sqlite";
import { temporaryFiles } from "../storage/support/temporary-files.js";

const newFile = temporaryFiles();

describeStorage("sqlite in a file", () => sqliteStorage({ filename: newFile() }));
