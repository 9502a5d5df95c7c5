import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { RadioButton, RadioField, RadioGroup } from 'react-aria-components';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import { useSend } from '../../client/use-send.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { mergePeople, type MergeState, NOTHING_MERGED } from './merge-people.ts';
import { PEOPLE_MESSAGES } from './people-messages.ts';
import type { Person } from './people-list.ts';
import { PersonTile } from './person-tile.tsx';
import styles from './people.module.css';
import { PEOPLE_READS } from '../../people/people-reads.ts';

export interface MergeDialogProps {
  readonly people: readonly Person[];
  /** Called with the ids of the people who were merged into another one, also if others are left. */
  readonly onMerged: (ids: ReadonlySet<number>) => void;
  /** Called when everybody was merged. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Merges people into one of them, which the person chooses with both covers in sight. */
export function MergeDialog({ people: chosen, onMerged, onDone, onClose }: MergeDialogProps) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const formats = useFormats();
  const merge = useMerge(onMerged);
  const people = chosen.filter(({ id }) => !merge.merged.has(id));
  const [survivor, setSurvivor] = useState(String(largest(people).id));
  const stays = people.find(({ id }) => String(id) === survivor)!;
  const others = people.filter(({ id }) => id !== stays.id);
  return (
    <Dialog title={texts.mergeTitle} isOpen onClose={onClose} isWide>
      <p>{texts.mergeText}</p>
      <RadioGroup
        aria-label={texts.mergeTitle}
        value={survivor}
        onChange={setSurvivor}
        isDisabled={merge.isPending}
        className={styles.survivors}
      >
        {people.map((person) => (
          <RadioField key={person.id} value={String(person.id)}>
            <RadioButton className={styles.survivor}>
              <PersonTile person={person} />
            </RadioButton>
          </RadioField>
        ))}
      </RadioGroup>
      <Notice look="warn">{texts.mergeNames}</Notice>
      {merge.error && <Failure error={merge.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button
          look="primary"
          onPress={() => {
            if (!merge.isPending) merge.mutate({ stays, others }, onDone);
          }}
        >
          {texts.mergeInto(formats.number(others.length), stays.label)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface Merge {
  readonly stays: Person;
  readonly others: readonly Person[];
}

/** Merges in as many attempts as it takes. All of them are one change for the undo. */
function useMerge(onMerged: MergeDialogProps['onMerged']) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const formats = useFormats();
  const api = useApi();
  const send = useSend();
  const invalidate = useInvalidate();
  const undoable = useUndoable();
  const [state, setState] = useState(NOTHING_MERGED);
  const names = useRef(new Map<number, string>());
  const forget = useRef<(() => void) | null>(null);
  const say = ({ merged, operationIds }: MergeState, stays: Person) => {
    const [only] = merged;
    const text = merged.size === 1 ? names.current.get(only!)! : formats.number(merged.size);
    forget.current?.();
    // The merges before a failure can be taken back, too.
    forget.current = undoable.done(texts.merged(text, stays.label), operationIds);
  };
  const { mutate, ...merge } = useMutation({
    mutationFn: async ({ stays, others }: Merge) => {
      for (const { id, label } of others) names.current.set(id, label);
      const read: typeof api.read = (...input) => api.read(...input);
      const people = { into: stays.id, ids: others.map(({ id }) => id) };
      const result = await mergePeople({ send, read }, state, people);
      setState(result);
      if (result.merged.size > state.merged.size) {
        say(result, stays);
        onMerged(result.merged);
      }
      if (result.error !== null) throw result.error;
    },
    // The dialog closes without waiting for the lists, because it keeps the keys, the one of the undo as well.
    onSettled: () => void invalidate(...PEOPLE_READS),
  });
  return {
    ...merge,
    merged: state.merged,
    /** A dialog that was closed before the end no longer calls `onDone`. */
    mutate: (people: Merge, onDone: () => void) => mutate(people, { onSuccess: onDone }),
  };
}

/** The person with the most faces, which stays unless the person who merges decides otherwise. */
function largest(people: readonly Person[]): Person {
  return people.reduce((best, each) => (each.detection_count > best.detection_count ? each : best));
}
