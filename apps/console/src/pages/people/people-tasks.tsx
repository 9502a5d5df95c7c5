import { useInvalidate } from '../../client/api-context.tsx';
import { useSend } from '../../client/use-send.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { useChanges } from '../../undo/changes-context.tsx';
import { DeletePeopleDialog } from './delete-people-dialog.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { NameDialog } from './name-dialog.tsx';
import { PEOPLE_MESSAGES } from './people-messages.ts';
import { PEOPLE_READS } from './people-reads.ts';
import type { Person } from './person-tile.tsx';
import { RenameDialog } from './rename-dialog.tsx';

/** A task whose dialog is open, with the people for which it was begun. */
export type PeopleTask =
  | { readonly kind: 'add' }
  | { readonly kind: 'rename' | 'merge' | 'delete'; readonly people: readonly Person[] };

export interface PeopleTaskDialogProps {
  readonly task: PeopleTask | null;
  /** Called with the ids of people who were deleted, or merged into another one. */
  readonly onRemoved: (ids: ReadonlySet<number>) => void;
  readonly onClose: () => void;
}

export function PeopleTaskDialog({ task, onRemoved, onClose }: PeopleTaskDialogProps) {
  if (task === null) return null;
  if (task.kind === 'add') return <AddDialog onClose={onClose} />;
  const { kind, people } = task;
  const [first] = people;
  if (first === undefined) return null;
  const removed = (ids: ReadonlySet<number>) => {
    onClose();
    onRemoved(ids);
  };
  if (kind === 'merge') return <MergeDialog people={people} onMerged={removed} onClose={onClose} />;
  if (kind === 'rename') return <RenameDialog person={first} onClose={onClose} />;
  return (
    <DeletePeopleDialog
      people={people}
      onClose={(isDeleted) =>
        isDeleted ? removed(new Set(people.map(({ id }) => id))) : onClose()
      }
    />
  );
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const send = useSend();
  const invalidate = useInvalidate();
  const changes = useChanges();
  const add = async (label: string) => {
    await send('createIdentity', { body: { label, type: 'face' } });
    changes.announce(texts.created(label));
    await invalidate(...PEOPLE_READS);
  };
  return (
    <NameDialog
      title={texts.addTitle}
      submit={texts.create}
      initial=""
      onSubmit={add}
      onClose={onClose}
    />
  );
}
