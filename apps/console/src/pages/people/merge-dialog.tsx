import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { RadioButton, RadioField, RadioGroup } from 'react-aria-components';
import { useInvalidate } from '../../client/api-context.tsx';
import { useSend } from '../../client/use-send.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useChanges } from '../../undo/changes-context.tsx';
import { PEOPLE_MESSAGES } from './people-messages.ts';
import { type Person, PersonTile } from './person-tile.tsx';
import styles from './people.module.css';
import { PEOPLE_READS } from './people-reads.ts';

export interface MergeDialogProps {
  readonly people: readonly Person[];
  /** Called with the ids of the people who were merged into another one. */
  readonly onMerged: (ids: ReadonlySet<number>) => void;
  readonly onClose: () => void;
}

/** Merges people into one of them, which the person chooses with both covers in sight. */
export function MergeDialog({ people, onMerged, onClose }: MergeDialogProps) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const formats = useFormats();
  const [survivor, setSurvivor] = useState(String(largest(people).id));
  const stays = people.find(({ id }) => String(id) === survivor)!;
  const others = people.filter(({ id }) => id !== stays.id);
  const merge = useMerge(() => onMerged(new Set(others.map(({ id }) => id))));
  return (
    <Dialog title={texts.mergeTitle} isOpen onClose={onClose} isWide>
      <p>{texts.mergeText}</p>
      <RadioGroup
        aria-label={texts.mergeTitle}
        value={survivor}
        onChange={setSurvivor}
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
            if (!merge.isPending) merge.mutate({ stays, others });
          }}
        >
          {texts.mergeInto(formats.number(others.length), stays.label)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function useMerge(done: () => void) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const formats = useFormats();
  const send = useSend();
  const invalidate = useInvalidate();
  const changes = useChanges();
  return useMutation({
    mutationFn: async ({ stays, others }: { stays: Person; others: readonly Person[] }) => {
      const merged: Person[] = [];
      const operations: number[] = [];
      try {
        for (const other of others) {
          const { operationId } = await send('mergeIdentity', {
            path: { id: other.id },
            body: { into: stays.id },
          });
          merged.push(other);
          if (operationId !== null) operations.push(operationId);
        }
      } finally {
        // The merges before a failure can be taken back, too.
        const [only] = merged;
        const text = merged.length === 1 ? only!.label : formats.number(merged.length);
        if (merged.length > 0) changes.done(texts.merged(text, stays.label), operations);
      }
    },
    onSuccess: done,
    onSettled: () => invalidate(...PEOPLE_READS),
  });
}

/** The person with the most faces, which stays unless the person who merges decides otherwise. */
function largest(people: readonly Person[]): Person {
  return people.reduce((best, each) => (each.detection_count > best.detection_count ? each : best));
}
