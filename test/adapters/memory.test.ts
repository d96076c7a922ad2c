import { describeStorage } from "latchkey/contract";
import { memoryStorage } from "latchkey/memory";

describeStorage("memory", () => memoryStorage());
