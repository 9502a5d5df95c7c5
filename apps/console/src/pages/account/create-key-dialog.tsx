import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { environmentsQuery } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure, fieldErrors } from '../../ui/failure.tsx';
import { Form } from '../../ui/form.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { ACCOUNT_MESSAGES } from './account-messages.ts';

type CreatedKey = OperationBody<'createKey'>;
type KeyType = CreatedKey['type'];

const DAY_MS = 86_400_000;
const NEVER = 'never';
const EXPIRIES = ['30', '90', '365'];

export interface CreateKeyDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Creates a key, and shows it once. It is only in the memory of this dialog. */
export function CreateKeyDialog({ isOpen, onClose }: CreateKeyDialogProps) {
  const texts = useMessages(ACCOUNT_MESSAGES);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const close = () => {
    setCreated(null);
    onClose();
  };
  if (created !== null) return <CreatedKeyDialog created={created} onClose={close} />;
  return (
    <Dialog title={texts.createTitle} isOpen={isOpen} onClose={close}>
      <KeyForm onCreated={setCreated} onCancel={close} />
    </Dialog>
  );
}

interface KeyFormProps {
  readonly onCreated: (key: CreatedKey) => void;
  readonly onCancel: () => void;
}

function KeyForm({ onCreated, onCancel }: KeyFormProps) {
  const texts = useMessages(ACCOUNT_MESSAGES);
  const formats = useFormats();
  const api = useApi();
  const invalidate = useInvalidate();
  const environments = useQuery(environmentsQuery(api));
  const owned = environments.data?.items.filter(({ role }) => role === 'owner') ?? [];
  const [label, setLabel] = useState('');
  const [environment, setEnvironment] = useState(String(api.environment));
  const [type, setType] = useState<KeyType>('read');
  const [expiry, setExpiry] = useState(NEVER);
  const create = useMutation({
    mutationFn: () =>
      api.read('createKey', {
        body: {
          label,
          type,
          environment_id: Number(environment),
          ...(expiry !== NEVER && {
            expires_at: new Date(Date.now() + Number(expiry) * DAY_MS).toISOString(),
          }),
        },
      }),
    onSuccess: async (key) => {
      onCreated(key);
      await invalidate('listKeys');
    },
  });
  const submit = () => {
    if (!create.isPending) create.mutate();
  };
  const wrongLabel = fieldErrors(create.error).label;
  return (
    <Form onSubmit={submit}>
      <TextInput
        label={texts.label}
        value={label}
        onChange={setLabel}
        error={wrongLabel}
        isRequired
        autoFocus
      />
      <Select
        label={texts.environment}
        value={environment}
        onChange={setEnvironment}
        options={owned.map(({ id, name }) => ({ value: String(id), text: name }))}
      />
      <Select<KeyType>
        label={texts.type}
        value={type}
        onChange={setType}
        options={[
          { value: 'read', text: texts.typeRead },
          { value: 'review', text: texts.typeReview },
          { value: 'full', text: texts.typeFull },
        ]}
      />
      <Select
        label={texts.expiry}
        value={expiry}
        onChange={setExpiry}
        options={[
          { value: NEVER, text: texts.expiryNever },
          ...EXPIRIES.map((days) => ({
            value: days,
            text: texts.days(formats.number(Number(days))),
          })),
        ]}
      />
      {create.error && wrongLabel === undefined && <Failure error={create.error} />}
      <DialogActions>
        <Button onPress={onCancel}>{texts.cancel}</Button>
        <Button type="submit" look="primary">
          {texts.create}
        </Button>
      </DialogActions>
    </Form>
  );
}

interface CreatedKeyDialogProps {
  readonly created: CreatedKey;
  readonly onClose: () => void;
}

function CreatedKeyDialog({ created, onClose }: CreatedKeyDialogProps) {
  const texts = useMessages(ACCOUNT_MESSAGES);
  const command = `curl -H "X-API-Key: ${created.key}" ${location.origin}/api/stats`;
  return (
    <Dialog title={texts.createdTitle} isOpen onClose={onClose} isWide>
      <p>{texts.createdText}</p>
      {/* The block scrolls, so the keyboard has to reach it. */}
      <pre tabIndex={0}>{command}</pre>
      <DialogActions>
        <CopyButton text={created.key} />
        <Button look="primary" onPress={onClose}>
          {texts.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
