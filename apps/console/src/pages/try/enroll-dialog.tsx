import { useRef, useState } from 'react';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import { useSend } from '../../client/use-send.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { type PickedIdentity, IdentityPicker } from '../../people/identity-picker.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { IMAGE_READS } from '../../images/image-reads.ts';
import { PEOPLE_READS } from '../../people/people-reads.ts';
import { type Box, closestBox } from './closest-box.ts';
import { imageOf, type Photo } from './photo.ts';
import { TRY_MESSAGES } from './try-messages.ts';
import type { StoredRun } from './try-tab.ts';

/** The stored photo does not have the face that the person has chosen. */
class MissingFaceError extends Error {
  override readonly name = 'MissingFaceError';
}

export interface EnrollDialogProps {
  readonly photo: Photo;
  readonly box: Box;
  readonly onClose: () => void;
  readonly onStored: (run: StoredRun) => void;
}

/** Stores the photo, and makes one of its faces a reference of a person. */
export function EnrollDialog({ photo, box, onClose, onStored }: EnrollDialogProps) {
  const texts = useMessages(TRY_MESSAGES);
  const enroll = useEnroll({ photo, box, onClose, onStored });
  const [person, setPerson] = useState<PickedIdentity | null>(null);
  const [state, setState] = useState<'idle' | 'enrolling' | Error>('idle');
  const run = async (picked: PickedIdentity) => {
    setState('enrolling');
    try {
      await enroll(picked);
    } catch (caught) {
      setState(caught as Error);
    }
  };
  return (
    <Dialog title={texts.enrollTitle} isOpen onClose={onClose}>
      <p>{texts.enrollText}</p>
      <IdentityPicker label={texts.who} canCreate autoFocus onPick={setPerson} />
      {state instanceof MissingFaceError && (
        <Notice look="bad" isAlert>
          {texts.faceGone}
        </Notice>
      )}
      {state instanceof Error && !(state instanceof MissingFaceError) && <Failure error={state} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button
          look="primary"
          isDisabled={person === null || state === 'enrolling'}
          onPress={() => person && void run(person)}
        >
          {person === null ? texts.enroll : texts.enrollAs(person.label)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function useEnroll({ photo, box, onClose, onStored }: EnrollDialogProps) {
  const texts = useMessages(TRY_MESSAGES);
  const api = useApi();
  const invalidate = useInvalidate();
  const { done } = useUndoable();
  const send = useSend();
  const stored = useRef<StoredRun | null>(null);
  return async ({ id, label }: PickedIdentity) => {
    // The photo is stored once, also if the naming fails and is tried again.
    const run = (stored.current ??= (await send('detectFaces', { body: imageOf(photo) })).body);
    const face = closestBox(run.faces, box);
    if (face === undefined) throw new MissingFaceError();
    const { operationId } = await api.send('labelDetection', {
      path: { id: face.detection_id },
      body: id === null ? { label } : { identity_id: id },
    });
    onStored(run);
    onClose();
    done(texts.enrolled(label), operationId);
    await invalidate(...PEOPLE_READS, ...IMAGE_READS, 'identifyFaces', 'testImage');
  };
}
