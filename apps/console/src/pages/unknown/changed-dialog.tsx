import { useRead } from '../../client/api-context.tsx';
import { FaceCrop } from '../../faces/face-crop.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import styles from './unknown.module.css';
import { UNKNOWN_MESSAGES } from './unknown-messages.ts';
import type { ChangedGroup } from './use-group-decisions.ts';
import type { FaceGroup } from './use-groups.ts';

export interface ChangedDialogProps {
  readonly changed: ChangedGroup;
  readonly onGoOn: () => void;
  readonly onClose: () => void;
}

/** The most faces that are shown of those that came or left. */
const SHOWN = 24;

/** Shows how a group has changed before anything is decided about it. */
export function ChangedDialog({ changed, onGoOn, onClose }: ChangedDialogProps) {
  const texts = useMessages(UNKNOWN_MESSAGES);
  const formats = useFormats();
  const { group, added, removed, rest } = changed;
  const { out } = rest;
  return (
    <Dialog title={texts.changedTitle} isOpen onClose={onClose} isWide>
      <p>{group === null ? texts.gone : texts.changedText}</p>
      {group !== null && added === null && <p>{texts.unknownChange}</p>}
      {added !== null && <Faces ids={added} text={texts.added(formats.number(added.length))} />}
      {removed !== null && (
        <Faces ids={removed} text={texts.removed(formats.number(removed.length))} />
      )}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        {group !== null && (
          <Button look="primary" onPress={onGoOn}>
            {texts.goOn(formats.number(sizeWithout(group, out)))}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

function sizeWithout({ size, items }: FaceGroup, out: ReadonlySet<number>): number {
  return size - items.filter(({ detection_id: id }) => out.has(id)).length;
}

function Faces({ ids, text }: { readonly ids: readonly number[]; readonly text: string }) {
  const texts = useMessages(UNKNOWN_MESSAGES);
  const formats = useFormats();
  const shown = ids.slice(0, SHOWN);
  const read = useRead(
    'queryDetections',
    { body: { detection_ids: shown } },
    { enabled: shown.length > 0 },
  );
  if (ids.length === 0) return null;
  return (
    <div>
      <h3>{text}</h3>
      <ul className={styles.small}>
        {read.data?.items.map(({ id, crop_url: url }, index) => (
          <li key={id}>
            <FaceCrop url={url} alt={texts.face(formats.number(index + 1))} width={96} />
          </li>
        ))}
      </ul>
    </div>
  );
}
