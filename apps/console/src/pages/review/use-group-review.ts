import { useMutation, useQuery } from '@tanstack/react-query';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { useSend } from '../../client/use-send.ts';
import { IMAGE_READS } from '../../images/image-reads.ts';
import { addResults, type FaceResult, faceResult, NO_FACES } from '../../faces/face-result.ts';
import { useResultText } from '../../faces/use-result-text.ts';
import { useJobs } from '../../jobs/jobs-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { PEOPLE_READS } from '../../people/people-reads.ts';
import { capabilitiesQuery } from '../../session/session.ts';
import { useUndoable } from '../../undo/undo-context.tsx';
import { REVIEW_MESSAGES } from './review-messages.ts';

export type Group = OperationBody<'listSuggestionGroups'>['items'][number];

export interface GroupDecision {
  readonly group: Group;
  /** When the groups were read. Faces that came later are left out. */
  readonly asOf: string;
  readonly min: number | undefined;
  readonly except: readonly number[];
  /** Whether the faces that were taken out are not of the person. */
  readonly rejectsOthers: boolean;
}

const GROUP_READS = ['listSuggestionGroups', ...PEOPLE_READS, ...IMAGE_READS] as const;

/** The largest number of faces of a request, if the service does not say another one. */
const USUAL_IDS = 1000;

interface Rejected {
  readonly result: FaceResult;
  readonly operations: readonly number[];
}

const NONE_REJECTED: Rejected = { result: NO_FACES, operations: [] };

/** Confirms the faces of groups. Large groups become jobs. */
export function useGroupReview(onDecided: (group: Group) => void) {
  const api = useApi();
  const send = useSend();
  const texts = useMessages(REVIEW_MESSAGES);
  const formats = useFormats();
  const resultText = useResultText();
  const invalidate = useInvalidate();
  const { done } = useUndoable();
  const jobs = useJobs();
  const mostIds = useQuery(capabilitiesQuery(api)).data?.limits.ids ?? USUAL_IDS;

  const reject = async (ids: readonly number[]) => {
    const body = { detection_ids: [...ids], action: 'reject' as const };
    const { body: answer, operationId } = await send('reviewFaces', { body });
    const result = 'processed' in answer ? faceResult(answer.processed, answer.errors) : NO_FACES;
    return { result, operations: operationId === null ? [] : [operationId] };
  };
  /** Without a confirmation beside them, the rejections are taken back by themselves. */
  const sayRejected = ({ result, operations }: Rejected) => {
    if (result.done + result.failed === 0) return;
    done(resultText(result, texts.rejectedFaces), operations);
  };
  const mutation = useMutation({
    mutationFn: async ({ group, asOf, min, except, rejectsOthers }: GroupDecision) => {
      // The rejections come first, because they are few, and the job of a large group takes its time.
      const rejected = rejectsOthers && except.length > 0 ? await reject(except) : NONE_REJECTED;
      const request = {
        query: { async: group.count > mostIds },
        body: {
          where: { suggested_identity_id: group.identity_id, min_similarity: min },
          as_of: asOf,
          except: [...except],
          action: 'confirm' as const,
        },
      };
      const confirmed = send('reviewFaces', request);
      const { body, operationId } = await confirmed.catch((error: unknown) => {
        sayRejected(rejected);
        throw error;
      });
      if ('job_id' in body) {
        sayRejected(rejected);
        jobs.follow({
          id: body.job_id,
          title: texts.confirmingFaces(group.label),
          done: (job) => texts.confirmedFaces(formats.number(job.done), group.label),
          onEnd: () => void invalidate(...GROUP_READS),
        });
        return;
      }
      if (!('processed' in body)) return;
      const { failed, missing } = rejected.result;
      const result = addResults(faceResult(body.processed, body.errors), {
        done: 0,
        failed,
        missing,
      });
      done(
        resultText(result, (count) => texts.confirmedFaces(count, group.label)),
        operationId === null ? rejected.operations : [...rejected.operations, operationId],
      );
    },
    onSuccess: (_, { group }) => onDecided(group),
    onSettled: () => invalidate(...GROUP_READS),
  });
  return {
    /** The failure of the last decision about the group. */
    errorOf: ({ identity_id: id }: Group) =>
      mutation.variables?.group.identity_id === id ? mutation.error : null,
    retry: () => {
      if (mutation.variables !== undefined) mutation.mutate(mutation.variables);
    },
    isPending: mutation.isPending,
    decide: (decision: GroupDecision) => {
      if (!mutation.isPending) mutation.mutate(decision);
    },
  };
}
