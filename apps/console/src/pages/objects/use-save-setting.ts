import { useMutation } from '@tanstack/react-query';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { useChanges } from '../../undo/changes-context.tsx';
import { OBJECTS_MESSAGES } from './objects-messages.ts';

export interface SavedSetting {
  readonly key: string;
  /** The name of the setting for the message at the end. */
  readonly name: string;
  readonly onSaved: () => void;
}

/** Saves a list of texts as the value of a setting. */
export function useSaveSetting({ key, name, onSaved }: SavedSetting) {
  const api = useApi();
  const texts = useMessages(OBJECTS_MESSAGES);
  const invalidate = useInvalidate();
  const { announce } = useChanges();
  return useMutation({
    mutationFn: (value: readonly string[]) =>
      api.send('putSetting', { path: { key }, body: { value: [...value] } }),
    onSuccess: async () => {
      announce(texts.saved(name));
      onSaved();
      await invalidate('listSettings', 'getSetting');
    },
  });
}
