import { type KeySettings, USUAL_KEYS } from './keyboard.ts';

const NAME = 'sightline.keys';

/** The settings that this browser has stored; the usual ones if it has stored nothing readable. */
export function readKeySettings(): KeySettings {
  try {
    const stored = JSON.parse(localStorage.getItem(NAME) ?? '{}') as Partial<KeySettings>;
    return { ...USUAL_KEYS, ...stored };
  } catch {
    return USUAL_KEYS;
  }
}

export function storeKeySettings(settings: KeySettings): void {
  localStorage.setItem(NAME, JSON.stringify(settings));
}
