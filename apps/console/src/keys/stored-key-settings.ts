import { COMMANDS } from './commands.ts';
import { type KeySettings, USUAL_KEYS } from './keyboard.ts';

export const KEY_SETTINGS_NAME = 'sightline.keys';

/** The settings that this browser has stored; the usual ones where it has stored nothing readable. */
export function readKeySettings(): KeySettings {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY_SETTINGS_NAME) ?? '{}') as Partial<
      Record<keyof KeySettings, unknown>
    >;
    return { characterKeys: stored.characterKeys !== false, changed: readChanged(stored.changed) };
  } catch {
    return USUAL_KEYS;
  }
}

/** Another version of the console may have had other commands. */
function readChanged(stored: unknown): KeySettings['changed'] {
  return Object.fromEntries(
    Object.entries(stored ?? {}).filter(
      ([id, key]) => Object.hasOwn(COMMANDS, id) && typeof key === 'string',
    ),
  );
}

export function storeKeySettings(settings: KeySettings): void {
  localStorage.setItem(KEY_SETTINGS_NAME, JSON.stringify(settings));
}
