/** `auto`: as the system. */
export type Look = 'auto' | 'light' | 'dark';

const NAME = 'sightline.look';

export function storedLook(): Look {
  const stored = localStorage.getItem(NAME);
  return stored === 'light' || stored === 'dark' ? stored : 'auto';
}

/** Shows the console in the look, and stores it in this browser. */
export function applyLook(look: Look): void {
  localStorage.setItem(NAME, look);
  document.documentElement.dataset.look = look;
}
