import { useMutation } from '@tanstack/react-query';
import { useApi, useInvalidate } from '../client/api-context.tsx';
import type { OperationArguments } from '../client/operations.ts';

/** The value of a setting; null is its default. */
type SentValue = OperationArguments<'putSetting'>[0]['body']['value'];

/** Saves a setting, after which all pages read settings again. */
export function usePutSetting(key: string, onSaved: () => void) {
  const api = useApi();
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (value: SentValue) => api.send('putSetting', { path: { key }, body: { value } }),
    onSuccess: async () => {
      onSaved();
      await invalidate('listSettings', 'getSetting');
    },
  });
}
