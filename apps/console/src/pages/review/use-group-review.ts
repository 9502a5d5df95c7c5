import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { useSend } from '../../client/use-send.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { capabilitiesQuery } from '../../session/session.ts';
import { useChanges } from '../../undo/changes-context.tsx';
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

/** A decision that a job carries out. */
export interface GroupJob {
  readonly id: number;
  readonly name: string;
}

/** The largest number of faces of a request, if the service does not say another one. */
const USUAL_IDS = 1000;

/** Confirms the faces of groups. Large groups become jobs. */
export function useGroupReview(onDecided: (group: Group) => void) {
  const api = useApi();
  const send = useSend();
  const texts = useMessages(REVIEW_MESSAGES);
  const formats = useFormats();
  const invalidate = useInvalidate();
  const { done } = useChanges();
  const [jobs, setJobs] = useState<readonly GroupJob[]>([]);
  const mostIds = useQuery(capabilitiesQuery(api)).data?.limits.ids ?? USUAL_IDS;

  const reject = async (ids: readonly number[]) => {
    const body = { detection_ids: [...ids], action: 'reject' as const };
    const { operationId } = await send('reviewFaces', { body });
    return operationId === null ? [] : [operationId];
  };
  /** Without a confirmation beside them, the rejections are taken back by themselves. */
  const sayRejected = (count: number, operations: readonly number[]) => {
    if (operations.length > 0) done(texts.rejectedFaces(formats.number(count)), operations);
  };
  const mutation = useMutation({
    mutationFn: async ({ group, asOf, min, except, rejectsOthers }: GroupDecision) => {
      // The rejections come first, because they are few, and the job of a large group takes its time.
      const rejected = rejectsOthers && except.length > 0 ? await reject(except) : [];
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
        sayRejected(except.length, rejected);
        throw error;
      });
      if ('job_id' in body) {
        sayRejected(except.length, rejected);
        setJobs((before) => [...before, { id: body.job_id, name: group.label }]);
        return;
      }
      if (!('processed' in body)) return;
      const operations = operationId === null ? rejected : [...rejected, operationId];
      const text = texts.confirmedFaces(formats.number(body.processed), group.label);
      const failed = body.failed === 0 ? '' : `. ${texts.failedSome(formats.number(body.failed))}`;
      done(text + failed, operations);
    },
    onSuccess: (_, { group }) => onDecided(group),
    onSettled: () =>
      invalidate('listSuggestionGroups', 'countReviewQueue', 'listMismatches', 'getIdentity'),
  });
  return {
    /** The failure of the last decision about the group. */
    errorOf: ({ identity_id: id }: Group) =>
      mutation.variables?.group.identity_id === id ? mutation.error : null,
    retry: () => {
      if (mutation.variables !== undefined) mutation.mutate(mutation.variables);
    },
    isPending: mutation.isPending,
    jobs,
    endJob: (id: number) => {
      setJobs((before) => before.filter((job) => job.id !== id));
      void invalidate('listSuggestionGroups', 'countReviewQueue', 'listReviewQueue');
    },
    decide: (decision: GroupDecision) => {
      if (!mutation.isPending) mutation.mutate(decision);
    },
  };
}
