import { useEffect } from "preact/hooks";
import { Router } from "wouter-preact";
import { usePathname } from "wouter-preact/use-browser-location";
import { Notices } from "../kit/toast.js";
import { Palette } from "./palette.js";
import { Routes } from "./routes.js";
import { needsSetUp, session, waiting } from "./session.js";
import { SetUpScreen } from "./set-up.js";
import { Shell } from "./shell.js";
import { useShortcuts } from "./shortcuts.js";
import { ConfirmDialog, SignInDialog, SignInScreen } from "./sign-in.js";
import { followPath, pathInConsole, routeBase } from "./tenant.js";

/** The console: the sign-in screen, or the frame with the screen of the current address. */
export function App() {
  const path = usePathname();
  followPath(path);
  useShortcuts();
  useEffect(() => window.scrollTo(0, 0), [path]);
  if (pathInConsole(path) === "/set-up") return <SetUpScreen />;
  if (session.value == null) return needsSetUp.value ? <SetUpScreen /> : <SignInScreen />;
  return (
    <Router base={routeBase.value}>
      <Shell>
        <Routes key={routeBase.value} />
      </Shell>
      <Palette />
      <Notices />
      {waiting.value === "signIn" && <SignInDialog />}
      {waiting.value === "confirm" && <ConfirmDialog />}
    </Router>
  );
}
