import { readStored, store } from '../client/browser-storage.ts';
import { COMMANDS } from './commands.ts';
import { type KeySettings, USUAL_KEYS } from './keyboard.ts';

export const KEY_SETTINGS_NAME = 'sightline.keys';

/** The settings that this browser has stored; the usual ones where it has stored nothing readable. */
export function readKeySettings(): KeySettings {
  const stored = readStored('local', KEY_SETTINGS_NAME);
  if (typeof stored !== 'object' || stored === null) return USUAL_KEYS;
  const { characterKeys, changed } = stored as Partial<Record<keyof KeySettings, unknown>>;
  return { characterKeys: characterKeys !== false, changed: readChanged(changed) };
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
  store('local', KEY_SETTINGS_NAME, settings);
}
