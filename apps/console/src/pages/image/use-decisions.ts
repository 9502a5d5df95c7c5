import { useMutation } from '@tanstack/react-query';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import type { Send } from '../../client/create-send.ts';
import type { OperationBody } from '../../client/operations.ts';
import { useSend } from '../../client/use-send.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import type { PickedPerson } from '../../people/person-picker.tsx';
import { useChanges } from '../../undo/changes-context.tsx';
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
  const formats = useFormats();
  const invalidate = useInvalidate();
  const { done } = useChanges();
  const decision = useMutation({
    mutationFn: async (decide: () => Promise<Decided>) => {
      const { text, operations, isImageDeleted = false } = await decide();
      done(text, operations);
      if (isImageDeleted) onImageDeleted();
      await invalidate('getImage', 'countImages', 'listImageBuckets', 'listObjectClasses');
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
    name: ({ id }: Detection, chosen: PickedPerson) =>
      decide(async () => {
        const body = chosen.id === null ? { label: chosen.label } : { identity_id: chosen.id };
        const { operationId } = await api.send('labelDetection', { path: { id }, body });
        return { text: texts.named(chosen.label), operations: operationId };
      }),
    confirm: (face: Detection) =>
      decide(async () => {
        const operations = await confirmFaces(send, [face]);
        return { text: texts.didConfirm, operations };
      }),
    confirmAll: () =>
      decide(async () => {
        const faces = suggestedFaces(image);
        const operations = await confirmFaces(send, faces);
        return { text: texts.didConfirmAll(formats.number(faces.length)), operations };
      }),
    reject: (face: Detection) => review('rejectFace', face, texts.didReject),
    unassign: (face: Detection) => review('unassignFace', face, texts.didUnassign),
    restore: (face: Detection) => review('restoreFace', face, texts.didRestore),
    dismiss: ({ id }: Detection) =>
      decide(async () => {
        const body = { detection_ids: [id] };
        const { operationId } = await send('dismissDetections', { body });
        return { text: texts.didDismiss, operations: operationId };
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

/** Confirms the suggested names. A request has the faces of one identity. */
async function confirmFaces(send: Send, faces: readonly Detection[]): Promise<number[]> {
  const operations: number[] = [];
  for (const [identityId, same] of Map.groupBy(faces, ({ identity_id: id }) => id)) {
    const { operationId } = await send('reviewFaces', {
      body: {
        action: 'confirm',
        identity_id: identityId!,
        detection_ids: same.map(({ id }) => id),
      },
    });
    if (operationId !== null) operations.push(operationId);
  }
  return operations;
}
