import { render } from "preact";
import { App } from "./app";
import { applyAppearance } from "./appearance";
import "./styles.css";

applyAppearance();
render(<App />, document.getElementById("app") as HTMLElement);
