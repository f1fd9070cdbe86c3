// Light and dark: the system's wish unless a person chose. Colours are plain values, not CSS
// variables, so that an exported SVG has them.
export type Theme = "light" | "dark";
const key = "gossamer-theme";

function remembered(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // some browsers give pages from the file system no storage
  }
}

export function currentTheme(): Theme {
  const chosen = remembered() ?? document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // The choice then lasts as long as the page.
  }
}

const palettes: Record<Theme, string[]> = {
  light: ["#c8324a", "#1f6fb2", "#2b8a57", "#a8730a", "#7547b0", "#0b7f8c", "#c05a16", "#596673", "#a42f79", "#567d1c", "#3d4fb8", "#8a5a44", "#d0708a", "#6aa5d8", "#7fbf9a", "#d9a94e"],
  dark: ["#ff7d8e", "#6db7ff", "#5fd08c", "#e5b44a", "#c19bff", "#50cfd9", "#ff9f60", "#a9b4c0", "#f18ccb", "#a8d763", "#96a5ff", "#d7a78f", "#b85a6c", "#4a86bd", "#3f9a68", "#a98438"],
};

/** The three colours of Dalton et al. for rows done by a thread, a warp, a block; and beyond. */
export const groupColours: Record<Theme, string[]> = {
  light: ["#1f6fb2", "#2b8a57", "#c8324a", "#596673"],
  dark: ["#6db7ff", "#5fd08c", "#ff7d8e", "#a9b4c0"],
};

export function paletteOf(theme: Theme): string[] {
  return palettes[theme];
}

export function inkOf(theme: Theme): { text: string; faint: string; grid: string; paper: string; accent: string } {
  return theme === "dark"
    ? { text: "#e6e9ee", faint: "#9aa5b1", grid: "#39424e", paper: "#171b21", accent: "#ff7d8e" }
    : { text: "#1d2430", faint: "#5b6673", grid: "#d5dae1", paper: "#ffffff", accent: "#c8324a" };
}
