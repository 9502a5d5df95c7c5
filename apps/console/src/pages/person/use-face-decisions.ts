import { useApi, useInvalidate } from '../../client/api-context.tsx';
import { useSend } from '../../client/use-send.ts';
import { faceResult, skippingResult } from '../../faces/face-result.ts';
import { useResultText } from '../../faces/use-result-text.ts';
import { IMAGE_READS } from '../../images/image-reads.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import type { PickedIdentity } from '../../people/identity-picker.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { PEOPLE_READS } from '../../people/people-reads.ts';
import { PERSON_MESSAGES } from './person-messages.ts';

type Ids = readonly number[];

/** The decisions about faces of a person. Each can be taken back. */
export function useFaceDecisions(person: number) {
  const texts = useMessages(PERSON_MESSAGES);
  const formats = useFormats();
  const api = useApi();
  const send = useSend();
  const invalidate = useInvalidate();
  const { done } = useUndoable();
  const finish = async (text: string, operationId: number | null) => {
    done(text, operationId);
    await invalidate(...PEOPLE_READS, ...IMAGE_READS);
  };
  const count = (ids: Ids) => formats.number(ids.length);
  const resultText = useResultText();

  return {
    async review(
      ids: Ids,
      action: 'confirm' | 'reject' | 'restore',
      say: (count: string) => string,
    ) {
      const { body, operationId } = await send('reviewFaces', {
        body: {
          detection_ids: [...ids],
          action,
          ...(action === 'confirm' && { identity_id: person }),
        },
      });
      if (!('processed' in body)) return;
      await finish(resultText(faceResult(body.processed, body.errors), say), operationId);
    },
    async move(ids: Ids, to: PickedIdentity) {
      const target = to.id === null ? { label: to.label } : { identity_id: to.id };
      const { body, operationId } = await send('labelDetections', {
        body: { items: ids.map((id) => ({ detection_id: id, ...target })) },
      });
      const failed = body.results.filter(({ ok }) => !ok);
      const result = faceResult(ids.length - failed.length, failed);
      const text = resultText(result, (moved) => texts.moved(moved, to.label));
      await finish(text, operationId);
    },
    async setCover([id]: Ids) {
      const { operationId } = await api.send('setIdentityCover', {
        path: { id: person },
        body: { detection_id: id! },
      });
      await finish(texts.coverSet, operationId);
    },
    async remove(ids: Ids) {
      const { body, operationId } = await send('deleteDetections', {
        body: { detection_ids: [...ids] },
      });
      await finish(texts.deletedFaces(formats.number(body.deleted)), operationId);
    },
    async enroll([id]: Ids) {
      const { operationId } = await send('enrollDetection', { path: { id: id! } });
      await finish(texts.enrolled, operationId);
    },
    async dismissMismatches(ids: Ids) {
      const { body, operationId } = await send('dismissMismatches', {
        body: { detection_ids: [...ids] },
      });
      const result = skippingResult(body.dismissed, ids.length);
      await finish(resultText(result, texts.dismissed), operationId);
    },
    /** Removes references by the faces that they are made of, one operation each. All are taken back together. */
    async revoke(ids: Ids) {
      const revoked: number[] = [];
      const operations: number[] = [];
      try {
        for (const id of ids) {
          const { operationId } = await api.send('revokeDetection', { path: { id } });
          revoked.push(id);
          if (operationId !== null) operations.push(operationId);
        }
      } finally {
        if (revoked.length > 0) done(texts.revoked(count(revoked)), operations);
        await invalidate(...PEOPLE_READS);
      }
    },
    async addPhoto(file: File) {
      const { operationId } = await send('enrollIdentity', {
        path: { id: person },
        body: { file },
      });
      await finish(texts.photoAdded(file.name), operationId);
    },
  };
}
