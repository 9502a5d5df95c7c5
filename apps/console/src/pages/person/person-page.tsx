import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { useInvalidate, useRead } from '../../client/api-context.tsx';
import { isTemporary } from '../../client/api-error.ts';
import type { OperationBody } from '../../client/operations.ts';
import { useSend } from '../../client/use-send.ts';
import { FaceCrop } from '../../faces/face-crop.tsx';
import { Page } from '../../frame/page.tsx';
import { Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { IdentityPicker, type PickedIdentity } from '../../people/identity-picker.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { DeletePeopleDialog } from '../../people/delete-people-dialog.tsx';
import { RenameDialog } from '../../people/rename-dialog.tsx';
import { PEOPLE_MESSAGES } from '../people/people-messages.ts';
import { PEOPLE_READS } from '../../people/people-reads.ts';
import { HistoryTab } from './history-tab.tsx';
import { PERSON_MESSAGES } from './person-messages.ts';
import { PERSON_TABS, type PersonTab } from './person-search.ts';
import {
  FacesTab,
  MismatchesTab,
  type PersonTabProps,
  ReferencesTab,
  RejectedTab,
  SuggestedTab,
} from './person-tabs.tsx';
import { ReferenceDialog } from './reference-dialog.tsx';
import styles from './person.module.css';

const route = getRouteApi('/$environment/people/$person');

type Person = OperationBody<'getIdentity'>;

const TABS: Readonly<Record<PersonTab, ComponentType<PersonTabProps>>> = {
  faces: FacesTab,
  suggested: SuggestedTab,
  references: ReferencesTab,
  mismatches: MismatchesTab,
  rejected: RejectedTab,
  history: HistoryTab,
};

/** One person: faces, suggestions, references, and what was decided. */
export function PersonPage() {
  const { person } = route.useParams();
  const id = Number(person);
  const read = useRead('getIdentity', { path: { id } });
  const texts = useMessages(PEOPLE_MESSAGES);
  // The page stays while the service does not answer, with everything that was chosen on it.
  if (read.error && (read.data === undefined || !isTemporary(read.error))) {
    return (
      <Page title={texts.title}>
        <Failure error={read.error} onRetry={() => void read.refetch()} />
      </Page>
    );
  }
  if (read.data === undefined) {
    return (
      <Page title={texts.title}>
        <Loading />
      </Page>
    );
  }
  return <KnownPerson key={id} person={read.data} />;
}

function KnownPerson({ person }: { readonly person: Person }) {
  const texts = useMessages(PERSON_MESSAGES);
  const { tab = 'faces' } = route.useSearch();
  const navigate = route.useNavigate();
  const Content = TABS[tab];
  return (
    <Page title={person.label}>
      <div className={styles.body}>
        <PersonHead person={person} />
        <Tabs
          label={texts.parts}
          tabs={PERSON_TABS.map((name) => ({ name, text: texts[name] }))}
          selected={tab}
          onSelect={(name) => void navigate({ search: { tab: name }, replace: true })}
        >
          <Content
            person={person.id}
            onOpenImage={(image) =>
              void navigate({
                to: '/$environment/images/$image',
                params: (before) => ({ ...before, image: String(image) }),
              })
            }
          />
        </Tabs>
      </div>
    </Page>
  );
}

type Task = 'rename' | 'reference' | 'merge' | 'delete';

function PersonHead({ person }: { readonly person: Person }) {
  const texts = useMessages(PERSON_MESSAGES);
  const formats = useFormats();
  const [task, setTask] = useState<Task | null>(null);
  return (
    <div className={styles.head}>
      <div className={styles.cover}>
        <FaceCrop url={person.thumbnail_url} alt={person.label} />
      </div>
      <p className={styles.facts}>
        {texts.facts(
          formats.number(person.detection_count),
          formats.number(person.embedding_count),
        )}
        {person.external_ref !== null && (
          <>
            <br />
            <bdi>{texts.referenceIs(person.external_ref)}</bdi>
          </>
        )}
      </p>
      <div className={styles.actions}>
        <Button onPress={() => setTask('rename')}>{texts.rename}</Button>
        <Button onPress={() => setTask('reference')}>{texts.reference}</Button>
        <Button onPress={() => setTask('merge')}>{texts.merge}</Button>
        <Button onPress={() => setTask('delete')}>{texts.delete}</Button>
      </div>
      {task && <TaskDialog task={task} person={person} onClose={() => setTask(null)} />}
    </div>
  );
}

interface TaskDialogProps {
  readonly task: Task;
  readonly person: Person;
  readonly onClose: () => void;
}

function TaskDialog({ task, person, onClose }: TaskDialogProps) {
  const navigate = route.useNavigate();
  if (task === 'merge') return <MergeInto person={person} onClose={onClose} />;
  if (task === 'delete') {
    const finish = (isDone: boolean) => {
      onClose();
      if (isDone) void navigate({ to: '/$environment/people' });
    };
    return <DeletePeopleDialog people={[person]} onClose={finish} />;
  }
  if (task === 'reference') return <ReferenceDialog person={person} onClose={onClose} />;
  return <RenameDialog person={person} onClose={onClose} />;
}

/** Merges the person into another one, whose page it opens. */
function MergeInto({ person, onClose }: Omit<TaskDialogProps, 'task'>) {
  const texts = useMessages(PERSON_MESSAGES);
  const navigate = route.useNavigate();
  const send = useSend();
  const invalidate = useInvalidate();
  const undoable = useUndoable();
  const merge = useMutation({
    mutationFn: async (into: PickedIdentity) => {
      if (into.id === null) return;
      const { operationId } = await send('mergeIdentity', {
        path: { id: person.id },
        body: { into: into.id },
      });
      undoable.done(texts.merged(person.label, into.label), operationId);
      await navigate({
        to: '/$environment/people/$person',
        params: (before) => ({ ...before, person: String(into.id) }),
      });
      onClose();
      await invalidate(...PEOPLE_READS);
    },
  });
  return (
    <Dialog title={texts.mergeTitle(person.label)} isOpen onClose={onClose}>
      <p>{texts.mergeText(person.label)}</p>
      <IdentityPicker
        label={texts.merge}
        onPick={(into) => {
          if (!merge.isPending) merge.mutate(into);
        }}
        except={[person.id]}
        autoFocus
      />
      {merge.error && <Failure error={merge.error} />}
    </Dialog>
  );
}
