import { useState } from 'react';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { makeSecret } from '../../webhooks/make-secret.ts';
import { SecretDialog } from '../../webhooks/secret-dialog.tsx';
import { WebhookForm } from '../../webhooks/webhook-form.tsx';
import { WEBHOOK_MESSAGES } from '../../webhooks/webhook-messages.ts';
import type { Webhook } from '../../webhooks/webhook-texts.ts';
import type { useWebhookActions } from './use-webhook-actions.ts';
import { WEBHOOK_PAGE_MESSAGES } from './webhook-page-messages.ts';

export type DialogName = 'change' | 'secret' | 'remove';

export interface WebhookDialogProps {
  readonly webhook: Webhook;
  readonly actions: ReturnType<typeof useWebhookActions>;
  readonly onClose: () => void;
}

/** The dialog that is open over the page. */
export function WebhookDialogs({
  name,
  ...props
}: WebhookDialogProps & { readonly name: DialogName }) {
  if (name === 'change') return <ChangeDialog {...props} />;
  return name === 'secret' ? <NewSecretDialog {...props} /> : <RemoveDialog {...props} />;
}

function ChangeDialog({ webhook, actions: { change }, onClose }: WebhookDialogProps) {
  const texts = useMessages(WEBHOOK_MESSAGES);
  return (
    <Dialog title={texts.changeTitle} isOpen onClose={onClose}>
      <WebhookForm
        initial={webhook}
        error={change.error}
        isPending={change.isPending}
        onSubmit={(fields) => change.mutate({ ...fields }, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function NewSecretDialog({ webhook, actions: { change }, onClose }: WebhookDialogProps) {
  const texts = useMessages(WEBHOOK_PAGE_MESSAGES);
  const shared = useMessages(WEBHOOK_MESSAGES);
  const [secret] = useState(makeSecret);
  const [hadSecret] = useState(webhook.has_secret);
  if (change.isSuccess && change.variables.secret === secret) {
    return <SecretDialog secret={secret} isNext={hadSecret} onClose={onClose} />;
  }
  return (
    <Dialog title={texts.newSecretTitle} isOpen onClose={onClose}>
      {webhook.has_secret && <p>{texts.newSecretText}</p>}
      <p>{shared.signText}</p>
      {change.error && <Failure error={change.error} />}
      <DialogActions>
        <Button onPress={onClose}>{shared.cancel}</Button>
        <Button look="primary" isBusy={change.isPending} onPress={() => change.mutate({ secret })}>
          {texts.make}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function RemoveDialog({ webhook, actions: { remove }, onClose }: WebhookDialogProps) {
  const texts = useMessages(WEBHOOK_PAGE_MESSAGES);
  const shared = useMessages(WEBHOOK_MESSAGES);
  return (
    <Dialog title={texts.removeTitle} isOpen onClose={onClose}>
      <p>
        <code>{webhook.url}</code>
      </p>
      <p>{texts.removeText}</p>
      {remove.error && <Failure error={remove.error} />}
      <DialogActions>
        <Button onPress={onClose}>{shared.cancel}</Button>
        <Button look="danger" isBusy={remove.isPending} onPress={() => remove.mutate()}>
          {texts.remove}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
