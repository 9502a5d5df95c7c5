import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import { useSend } from '../../client/use-send.ts';
import type { OperationInput } from '../../client/operations.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { WEBHOOK_MESSAGES } from '../../webhooks/webhook-messages.ts';
import { WEBHOOK_PAGE_MESSAGES } from './webhook-page-messages.ts';

type Change = OperationInput<'changeWebhook'>['body'];

/** The requests that change or test a webhook. */
export function useWebhookActions(id: number, environment: string) {
  const api = useApi();
  const send = useSend();
  const navigate = useNavigate();
  const invalidate = useInvalidate();
  const texts = useMessages(WEBHOOK_PAGE_MESSAGES);
  const shared = useMessages(WEBHOOK_MESSAGES);
  const formats = useFormats();
  const { announce } = useUndoable();
  const change = useMutation({
    mutationFn: (body: Change) => api.send('changeWebhook', { path: { id }, body }),
    onSuccess: async (_, { is_active: isActive }) => {
      await invalidate('listWebhooks');
      if (isActive === true) announce(texts.switchedOn);
      else announce(isActive === false ? texts.switchedOff : shared.saved);
    },
  });
  const ping = useMutation({
    mutationFn: () => send('pingWebhook', { path: { id } }),
    onSuccess: async ({ body: { status_code: status, duration_ms: duration, error } }) => {
      const time = texts.milliseconds(formats.number(duration));
      announce(
        status === null
          ? texts.pingRefused(error ?? shared.noAttempt)
          : texts.pinged(String(status), time),
      );
      await invalidate('listDeliveries');
    },
  });
  const remove = useMutation({
    mutationFn: () => api.send('deleteWebhook', { path: { id } }),
    onSuccess: async () => {
      await navigate({ to: '/$environment/webhooks', params: { environment } });
      await invalidate('listWebhooks');
      announce(texts.removed);
    },
  });
  return { change, ping, remove };
}
