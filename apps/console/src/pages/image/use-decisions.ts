import { useMutation } from '@tanstack/react-query';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { useSend } from '../../client/use-send.ts';
import { skippingResult } from '../../faces/face-result.ts';
import { useResultText } from '../../faces/use-result-text.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { IMAGE_READS } from '../../images/image-reads.ts';
import type { PickedIdentity } from '../../people/identity-picker.tsx';
import { PEOPLE_READS } from '../../people/people-reads.ts';
import { useUndoable } from '../../undo/undo-context.tsx';
import { confirmFaces } from './confirm-faces.ts';
import type { Box } from './draft-box.ts';
import { IMAGE_MESSAGES } from './image-messages.ts';

export type Image = OperationBody<'getImage'>;
export type Detection = Image['faces'][number];

/** The result of a decision. */
interface Decided {
  readonly text: string;
  readonly operations: number | readonly number[] | null;
  /** Whether the image was deleted with its last detection. */
  readonly isImageDeleted?: boolean;
}

export interface DrawnBox {
  readonly type: 'face' | 'object';
  readonly bbox: Box;
  readonly label: string | undefined;
}

/** The decisions about the detections of an image. Each can be taken back, but for drawn boxes, which can be deleted. */
export function useDecisions(image: Image, onImageDeleted: () => void) {
  const api = useApi();
  const send = useSend();
  const texts = useMessages(IMAGE_MESSAGES);
  const resultText = useResultText();
  const invalidate = useInvalidate();
  const { done } = useUndoable();
  const decision = useMutation({
    mutationFn: async (decide: () => Promise<Decided>) => {
      const { text, operations, isImageDeleted = false } = await decide();
      done(text, operations);
      // The list takes over what was read before, unless it is known to be old when the page is left.
      const reading = invalidate(...IMAGE_READS, ...PEOPLE_READS);
      if (isImageDeleted) onImageDeleted();
      await Promise.all([reading, invalidate('getImage')]);
    },
    // The detection may have been changed or deleted elsewhere.
    onError: () => void invalidate('getImage'),
  });
  const decide = (make: () => Promise<Decided>) => {
    if (!decision.isPending) decision.mutate(make);
  };
  const review = (
    operation: 'rejectFace' | 'unassignFace' | 'restoreFace',
    { id }: Detection,
    text: string,
  ) =>
    decide(async () => {
      const { operationId } = await send(operation, { path: { id } });
      return { text, operations: operationId };
    });
  return {
    decision,
    name: ({ id }: Detection, chosen: PickedIdentity) =>
      decide(async () => {
        const body = chosen.id === null ? { label: chosen.label } : { identity_id: chosen.id };
        const { operationId } = await api.send('labelDetection', { path: { id }, body });
        return { text: texts.named(chosen.label), operations: operationId };
      }),
    confirm: (face: Detection) =>
      decide(async () => {
        const { result, operations, error } = await confirmFaces(send, [face]);
        if (error !== null) throw error;
        return { text: resultText(result, () => texts.didConfirm), operations };
      }),
    confirmAll: () =>
      decide(async () => {
        const { result, operations, error } = await confirmFaces(send, suggestedFaces(image));
        const text = resultText(result, texts.didConfirmAll);
        if (error === null) return { text, operations };
        // The confirmations before a failure can be taken back, too.
        if (result.done + result.failed > 0) done(text, operations);
        throw error;
      }),
    reject: (face: Detection) => review('rejectFace', face, texts.didReject),
    unassign: (face: Detection) => review('unassignFace', face, texts.didUnassign),
    restore: (face: Detection) => review('restoreFace', face, texts.didRestore),
    dismiss: ({ id }: Detection) =>
      decide(async () => {
        const request = { body: { detection_ids: [id] } };
        const { body, operationId } = await send('dismissDetections', request);
        const result = skippingResult(body.dismissed, 1);
        return { text: resultText(result, () => texts.didDismiss), operations: operationId };
      }),
    remove: ({ id }: Detection) =>
      decide(async () => {
        const { body, operationId } = await api.send('deleteDetection', { path: { id } });
        const isImageDeleted = body.source_image_discarded;
        return { text: texts.didDelete, operations: operationId, isImageDeleted };
      }),
    draw: ({ type, bbox, label }: DrawnBox, onSaved: () => void) =>
      decide(async () => {
        const body = { type, bbox, ...(label !== undefined && { label }) };
        await send('createDetection', { path: { id: image.id }, body });
        onSaved();
        return { text: texts.didDraw, operations: null };
      }),
  };
}

export type Decisions = ReturnType<typeof useDecisions>;

/** The faces with a suggested name that waits for a decision. */
export function suggestedFaces({ faces }: Image): Detection[] {
  return faces.filter(
    ({ review_status: status, identity_id: identity }) => status === 'pending' && identity !== null,
  );
}
