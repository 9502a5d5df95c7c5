import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useInvalidate } from '../../client/api-context.tsx';
import { useSend } from '../../client/use-send.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { makeSecret } from '../../webhooks/make-secret.ts';
import { SecretDialog } from '../../webhooks/secret-dialog.tsx';
import { type WebhookFields, WebhookForm } from '../../webhooks/webhook-form.tsx';
import { WEBHOOK_MESSAGES } from '../../webhooks/webhook-messages.ts';

/** Registers a webhook, and then shows its secret once. */
export function AddWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useMessages(WEBHOOK_MESSAGES);
  const send = useSend();
  const invalidate = useInvalidate();
  const { announce } = useUndoable();
  const [isSigned, setSigned] = useState(true);
  const [secret] = useState(makeSecret);
  const register = useMutation({
    mutationFn: (fields: WebhookFields) => {
      const body = { ...fields, ...(isSigned && { secret }) };
      return send('registerWebhook', { body });
    },
    onSuccess: async ({ body }) => {
      await invalidate('listWebhooks');
      announce(texts.registered);
      if (!body.has_secret) onClose();
    },
  });
  if (register.data !== undefined) return <SecretDialog secret={secret} onClose={onClose} />;
  return (
    <Dialog title={texts.addTitle} isOpen onClose={onClose}>
      <WebhookForm
        initial={{ url: '', label: null, events: [] }}
        error={register.error}
        isPending={register.isPending}
        onSubmit={register.mutate}
        onCancel={onClose}
      >
        <Checkbox isSelected={isSigned} onChange={setSigned}>
          {texts.sign} – {texts.signText}
        </Checkbox>
      </WebhookForm>
    </Dialog>
  );
}
