import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useInvalidate, useRead } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { environmentsQuery } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { ACCOUNT_MESSAGES } from './account-messages.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';

type ApiKey = OperationBody<'listKeys'>['items'][number];

export function KeysSection() {
  const texts = useMessages(ACCOUNT_MESSAGES);
  const keys = useRead('listKeys');
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  return (
    <Panel
      title={texts.keys}
      text={texts.keysText}
      actions={<Button onPress={() => setCreating(true)}>{texts.create}</Button>}
    >
      {keys.isPending && <Loading />}
      {keys.error && <Failure error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data?.items.length === 0 && <p>{texts.noKeys}</p>}
      {keys.data !== undefined && keys.data.items.length > 0 && (
        <KeyTable keys={keys.data.items} onRevoke={setRevoked} />
      )}
      <CreateKeyDialog isOpen={isCreating} onClose={() => setCreating(false)} />
      <RevokeDialog apiKey={revoked} onClose={() => setRevoked(null)} />
    </Panel>
  );
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly onRevoke: (key: ApiKey) => void;
}

function KeyTable({ keys, onRevoke }: KeyTableProps) {
  const texts = useMessages(ACCOUNT_MESSAGES);
  const formats = useFormats();
  const environments = useQuery(environmentsQuery(useApi()));
  const nameOf = (environment: number) =>
    environments.data?.items.find(({ id }) => id === environment)?.name ?? String(environment);
  const types = { read: texts.typeRead, review: texts.typeReview, full: texts.typeFull };
  return (
    <Table
      label={texts.keys}
      columns={[
        texts.label,
        texts.environment,
        texts.type,
        texts.lastUsed,
        texts.expires,
        texts.revoke,
      ]}
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <th scope="row">
            {key.label} <code>{key.prefix}…</code>
          </th>
          <td>{nameOf(key.environment_id)}</td>
          <td>{types[key.type]}</td>
          <td>{key.last_used_at === null ? texts.notUsed : formats.dateTime(key.last_used_at)}</td>
          <td>{key.expires_at === null ? texts.never : formats.date(key.expires_at)}</td>
          <td>
            <Button aria-label={texts.revokeOf(key.label)} onPress={() => onRevoke(key)}>
              {texts.revoke}
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}

interface RevokeDialogProps {
  readonly apiKey: ApiKey | null;
  readonly onClose: () => void;
}

function RevokeDialog({ apiKey, onClose }: RevokeDialogProps) {
  const texts = useMessages(ACCOUNT_MESSAGES);
  const api = useApi();
  const invalidate = useInvalidate();
  const { announce } = useUndoable();
  const revoke = useMutation({
    mutationFn: ({ id }: ApiKey) => api.send('deleteKey', { path: { id } }),
    onSuccess: async (_, { label }) => {
      onClose();
      await invalidate('listKeys');
      announce(texts.revoked(label));
    },
  });
  if (apiKey === null) return null;
  return (
    <Dialog title={texts.revokeTitle(apiKey.label)} isOpen onClose={onClose}>
      <p>{texts.revokeText}</p>
      {revoke.error && <Failure error={revoke.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button look="danger" onPress={() => revoke.mutate(apiKey)}>
          {texts.revoke}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
