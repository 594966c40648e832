// Light or dark: as the system has it, until somebody says otherwise.

const STORE = 'apprentice-studio-theme';

export function startTheme() {
  const stored = localStorage.getItem(STORE);
  if (stored) document.documentElement.dataset.theme = stored;
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', announce);
}

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

export function switchTheme() {
  const theme = isDark() ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  localStorage.setItem(STORE, theme);
  announce();
}

function announce() {
  dispatchEvent(new Event('themechange'));
}
