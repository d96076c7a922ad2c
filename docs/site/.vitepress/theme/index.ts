// The default theme with the fonts of the reader's system: the site loads nothing from elsewhere.
import theme from "vitepress/theme-without-fonts";
import "./style.css";

export default theme;
