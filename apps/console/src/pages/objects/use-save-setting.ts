import { useMessages } from '../../messages/locale-context.tsx';
import { usePutSetting } from '../../settings/use-put-setting.ts';
import { useUndoable } from '../../undo/undo-context.tsx';
import { OBJECTS_MESSAGES } from './objects-messages.ts';

export interface SavedSetting {
  readonly key: string;
  /** The name of the setting for the message at the end. */
  readonly name: string;
  readonly onSaved: () => void;
}

/** Saves a list of texts as the value of a setting. */
export function useSaveSetting({ key, name, onSaved }: SavedSetting) {
  const texts = useMessages(OBJECTS_MESSAGES);
  const { announce } = useUndoable();
  return usePutSetting(key, () => {
    announce(texts.saved(name));
    onSaved();
  });
}
