import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isProblem } from '../../client/api-error.ts';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import { useSend } from '../../client/use-send.ts';
import { IMAGE_READS } from '../../images/image-reads.ts';
import { addResults, type FaceResult, faceResult, NO_FACES } from '../../faces/face-result.ts';
import { useResultText } from '../../faces/use-result-text.ts';
import { useJobs } from '../../jobs/jobs-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import type { PickedIdentity } from '../../people/identity-picker.tsx';
import { PEOPLE_READS } from '../../people/people-reads.ts';
import { capabilitiesQuery } from '../../session/session.ts';
import { useUndoable } from '../../undo/undo-context.tsx';
import { UNKNOWN_MESSAGES } from './unknown-messages.ts';
import type { FaceGroup } from './use-groups.ts';

/** The decision about groups. */
export type GroupTask =
  | { readonly kind: 'ignore' }
  | { readonly kind: 'name'; readonly person: PickedIdentity; readonly rejectsOthers: boolean };

export interface GroupRequest {
  readonly groups: readonly FaceGroup[];
  readonly out: ReadonlySet<number>;
  readonly task: GroupTask;
}

/** A group that has other faces than the person saw. */
export interface ChangedGroup {
  readonly former: FaceGroup;
  /** The group as the service last returned it; null if the group no longer exists. */
  readonly group: FaceGroup | null;
  /** Null if the service no longer knows which faces the group had. */
  readonly added: readonly number[] | null;
  readonly removed: readonly number[] | null;
  /** The groups that are still to be decided about, with this one as the first. */
  readonly rest: GroupRequest;
}

interface GroupDecisionsOptions {
  readonly onDecided: (group: FaceGroup) => void;
}

/** The groups themselves keep their places until none is left. */
const GROUP_READS = ['countClusters', 'listUnknownFaces', ...PEOPLE_READS, ...IMAGE_READS] as const;

/** The largest number of faces of a request, if the service does not say another one. */
const USUAL_IDS = 1000;

/** Names and ignores groups, one after the other. A group that has changed stops them until the person has seen it. */
export function useGroupDecisions({ onDecided }: GroupDecisionsOptions) {
  const api = useApi();
  const sendGroup = useSendGroup();
  const texts = useMessages(UNKNOWN_MESSAGES);
  const formats = useFormats();
  const resultText = useResultText();
  const invalidate = useInvalidate();
  const { done } = useUndoable();
  const [changed, setChanged] = useState<ChangedGroup | null>(null);
  const jobs = useJobs();
  const mostIds = useQuery(capabilitiesQuery(api)).data?.limits.ids ?? USUAL_IDS;

  const mutation = useMutation({
    mutationFn: async ({ groups, out, task }: GroupRequest) => {
      const text = (count: string) =>
        task.kind === 'ignore' ? texts.ignored(count) : texts.named(count, task.person.label);
      const title = task.kind === 'ignore' ? texts.ignoring : texts.naming(task.person.label);
      const results: FaceResult[] = [];
      const operations: number[] = [];
      const say = () => {
        // The jobs of large groups say themselves what became of them.
        if (results.length === 0) return;
        done(resultText(results.reduce(addResults, NO_FACES), text), operations);
      };
      for (const [index, group] of groups.entries()) {
        try {
          const result = await sendGroup({ group, out, task, isLarge: group.size > mostIds });
          if (result.job !== null) {
            jobs.follow({
              id: result.job,
              title,
              done: (job) => text(formats.number(job.done)),
              onEnd: () => void invalidate('listClusters', ...GROUP_READS),
            });
          }
          if (result.faces !== null) results.push(result.faces);
          if (result.operationId !== null) operations.push(result.operationId);
          onDecided(group);
        } catch (error) {
          say();
          const rest = { groups: groups.slice(index), out, task };
          const change = changeOf(error, rest);
          if (change === null) throw new GroupsLeftError(error as Error, rest);
          setChanged(change);
          return;
        }
      }
      say();
    },
    onSettled: () => invalidate(...GROUP_READS),
  });
  const failure = mutation.error instanceof GroupsLeftError ? mutation.error : null;
  const decide = (request: GroupRequest) => {
    if (!mutation.isPending) mutation.mutate(request);
  };
  return {
    decide,
    error: failure?.reason ?? mutation.error,
    retry: () => {
      if (failure !== null) decide(failure.rest);
    },
    changed,
    closeChanged: () => setChanged(null),
  };
}

/** The decision about some groups was carried out, and that about the rest was not. */
class GroupsLeftError extends Error {
  override readonly name = 'GroupsLeftError';
  readonly reason: Error;
  readonly rest: GroupRequest;

  constructor(reason: Error, rest: GroupRequest) {
    super(reason.message, { cause: reason });
    this.reason = reason;
    this.rest = rest;
  }
}

interface SentGroup {
  readonly group: FaceGroup;
  readonly out: ReadonlySet<number>;
  readonly task: GroupTask;
  readonly isLarge: boolean;
}

/** Returns a function that sends the decision about one group. */
function useSendGroup() {
  const send = useSend();
  return async ({ group, out, task, isLarge }: SentGroup) => {
    const path = { cluster_id: group.cluster_id };
    const query = { async: isLarge };
    const except = [...out];
    if (task.kind === 'ignore') {
      const request = { path, query, body: { except } };
      const { body, operationId } = await send('dismissCluster', request);
      return 'job_id' in body
        ? { job: body.job_id, faces: null, operationId: null }
        : { job: null, faces: faceResult(body.dismissed, []), operationId };
    }
    const { id, label } = task.person;
    const target = id === null ? { label } : { identity_id: id };
    const request = {
      path,
      query,
      body: { ...target, except, reject_except: task.rejectsOthers },
    };
    const { body, operationId } = await send('labelCluster', request);
    return 'job_id' in body
      ? { job: body.job_id, faces: null, operationId: null }
      : { job: null, faces: faceResult(body.processed, body.errors), operationId };
  };
}

/** The members that the service adds to the refusal of a group that has changed. */
interface ChangedProblem {
  readonly cluster: FaceGroup;
  readonly added: readonly number[] | null;
  readonly removed: readonly number[] | null;
}

function changeOf(error: unknown, rest: GroupRequest): ChangedGroup | null {
  const former = rest.groups[0]!;
  if (isProblem(error, 'cluster_changed')) {
    const { cluster: group, added, removed } = error.problem as unknown as ChangedProblem;
    return { former, group, added, removed, rest };
  }
  if (isProblem(error, 'not_found')) {
    return { former, group: null, added: null, removed: null, rest };
  }
  return null;
}
