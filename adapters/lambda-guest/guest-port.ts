import type { Frame } from "./frames.js";

/** Why a guest is no more, when nobody killed it. */
export interface GuestEnd {
  readonly kind: "outOfMemory" | "crashed";
  readonly message: string;
  /** Whether someone else has killed it, who may have had his reasons. */
  readonly isForeign?: boolean;
}

/** Who hears a guest. */
export interface GuestListener {
  onFrames(frames: readonly Frame[]): void;
  /** Called once, after everything that the guest has said. */
  onEnd(end: GuestEnd): void;
}

/** A process or a thread that runs scripts. None keeps the host alive. */
export interface GuestHandle {
  send(frame: Frame): void;
  /** Ends it at once, in any state. */
  kill(): void;
  /** The id of the call that it runs, where answers before it may not have been sent yet; undefined where all are. */
  runningCall(): number | undefined;
  /** The memory that it really uses, in bytes; undefined where that cannot be known. */
  residentBytes(): number | undefined;
}

/** Starts a guest. */
export type StartGuest = (listener: GuestListener) => GuestHandle;
