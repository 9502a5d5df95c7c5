import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { memo } from 'react';
import { useApi } from '../../client/api-context.tsx';
import { isProblem } from '../../client/api-error.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { useDescribeError } from '../../ui/failure.tsx';
import { Table } from '../../ui/table.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import type { Change } from '../../live/follow-changes.ts';
import { CHANGES_MESSAGES } from './changes-messages.ts';
import styles from './changes.module.css';

export function ChangeTable({ changes }: { readonly changes: readonly Change[] }) {
  const texts = useMessages(CHANGES_MESSAGES);
  return (
    <Table
      label={texts.title}
      columns={[texts.id, texts.when, texts.what, texts.record, texts.ref]}
    >
      {changes.map((change) => (
        <ChangeRow key={change.id} change={change} />
      ))}
    </Table>
  );
}

/** A row never changes, so a new one leaves up to 1,000 others as they are. */
const ChangeRow = memo(function ChangeRow({ change }: { readonly change: Change }) {
  const texts = useMessages(CHANGES_MESSAGES);
  const formats = useFormats();
  return (
    <tr>
      <th scope="row">{change.id}</th>
      <td>{formats.dateTime(change.created_at)}</td>
      <td>
        {texts[change.action]}{' '}
        {change.operation_id !== undefined && <span className={styles.hint}>{texts.byUndo}</span>}
      </td>
      <td>
        {change.entity_type === 'identity' ? (
          <IdentityRecord change={change} />
        ) : (
          <DetectionRecord change={change} />
        )}
      </td>
      <td>
        <bdi>{change.external_ref}</bdi>
      </td>
    </tr>
  );
});

function isDeleted({ action }: Change): boolean {
  return action === 'deleted' || action === 'merged';
}

function IdentityRecord({ change }: { readonly change: Change }) {
  const texts = useMessages(CHANGES_MESSAGES);
  const { environment } = useParams({ from: '/$environment' });
  const id = String(change.entity_id);
  if (isDeleted(change)) return texts.openIdentity(id);
  return (
    <Link to="/$environment/people/$person" params={{ environment, person: id }}>
      {texts.openIdentity(id)}
    </Link>
  );
}

function DetectionRecord({ change }: { readonly change: Change }) {
  const texts = useMessages(CHANGES_MESSAGES);
  const id = String(change.entity_id);
  const show = useShowDetection();
  if (isDeleted(change)) return texts.openDetection(id);
  return (
    <Button aria-label={texts.showImage(id)} onPress={() => void show(change.entity_id)}>
      {texts.openDetection(id)}
    </Button>
  );
}

/** Returns a function that opens the image of a detection, which a change does not name. */
function useShowDetection(): (id: number) => Promise<void> {
  const texts = useMessages(CHANGES_MESSAGES);
  const api = useApi();
  const { environment } = useParams({ from: '/$environment' });
  const navigate = useNavigate();
  const { announce } = useUndoable();
  const describe = useDescribeError();
  return async (id) => {
    try {
      const { source_image_id: image } = await api.read('getDetection', { path: { id } });
      const params = { environment, image: String(image) };
      await navigate({ to: '/$environment/images/$image', params });
    } catch (error) {
      const isMissing = isProblem(error, 'not_found');
      announce(isMissing ? texts.noLonger(String(id)) : describe(error as Error));
    }
  };
}
