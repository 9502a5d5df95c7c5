import { readStored, store } from '../client/browser-storage.ts';

/** `auto`: as the system. */
export type Look = 'auto' | 'light' | 'dark';

const NAME = 'sightline.look';

export function storedLook(): Look {
  const stored = readStored('local', NAME);
  return stored === 'light' || stored === 'dark' ? stored : 'auto';
}

/** Shows the console in the look. */
export function applyLook(look: Look): void {
  document.documentElement.dataset.look = look;
}

/** Shows the console in the look, and stores it in this browser. */
export function chooseLook(look: Look): void {
  applyLook(look);
  store('local', NAME, look);
}
