import { useSend } from '../../client/use-send.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { DeletePeopleDialog } from '../../people/delete-people-dialog.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { NameDialog } from '../../people/name-dialog.tsx';
import { PEOPLE_MESSAGES } from './people-messages.ts';
import type { Person } from './people-list.ts';
import { RenameDialog } from '../../people/rename-dialog.tsx';

/** A task whose dialog is open, with the people for which it was begun. */
export type PeopleTask =
  | { readonly kind: 'add' }
  | { readonly kind: 'rename' | 'merge' | 'delete'; readonly people: readonly Person[] };

export interface PeopleTaskDialogProps {
  readonly task: PeopleTask | null;
  /** Called with the ids of people who were deleted, or merged into another one. */
  readonly onRemoved: (ids: ReadonlySet<number>) => void;
  /** Called when a task that removes people was carried out whole. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function PeopleTaskDialog({ task, onRemoved, onDone, onClose }: PeopleTaskDialogProps) {
  if (task === null) return null;
  if (task.kind === 'add') return <AddDialog onClose={onClose} />;
  const { kind, people } = task;
  const [first] = people;
  if (first === undefined) return null;
  if (kind === 'merge') {
    return <MergeDialog people={people} onMerged={onRemoved} onDone={onDone} onClose={onClose} />;
  }
  if (kind === 'rename') return <RenameDialog person={first} onClose={onClose} />;
  return (
    <DeletePeopleDialog
      people={people}
      onClose={(isDeleted) => {
        if (!isDeleted) {
          onClose();
          return;
        }
        onRemoved(new Set(people.map(({ id }) => id)));
        onDone();
      }}
    />
  );
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const send = useSend();
  const undoable = useUndoable();
  const add = async (label: string) => {
    await send('createIdentity', { body: { label, type: 'face' } });
    undoable.announce(texts.created(label));
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
