import { render } from "preact";
import "../styles/main.css";
import { App } from "./app.js";
import { startLocale } from "./preferences.js";
import { readSession } from "./session.js";

const place = document.getElementById("app");
if (place !== null) {
  await Promise.all([readSession(), startLocale()]);
  render(<App />, place);
}
