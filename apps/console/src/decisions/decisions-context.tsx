import { useQuery } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import type { Api } from '../client/api.ts';
import { useApi, useInvalidate } from '../client/api-context.tsx';
import { defineMessages } from '../messages/define-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { sessionQuery } from '../session/session.ts';
import { useDescribeError } from '../ui/failure.tsx';
import { useUndoable } from '../undo/undo-context.tsx';
import { DecisionQueue, type QueueProgress } from './decision-queue.ts';
import type { SeenState, Verdict } from './decision-state.ts';
import { judgeFailure, sendDecision } from './send-decision.ts';
import { readDecisions, storeDecisions } from './stored-decisions.ts';

const MESSAGES = defineMessages({
  en: {
    elsewhere: 'Another person has decided about that face, or it was deleted.',
    refused: (reason: string) => `Not done: ${reason}`,
  },
  de: {
    elsewhere: 'Eine andere Person hat über dieses Gesicht entschieden, oder es wurde gelöscht.',
    refused: (reason: string) => `Nicht ausgeführt: ${reason}`,
  },
});

/** The counts follow decisions with this delay, in ms, so that a fast person causes few requests. */
const READ_AGAIN_MS = 1_500;

interface Decisions {
  readonly queue: DecisionQueue;
  /** The functions that forget changes in the list of those that can be taken back, by decision. */
  readonly forget: Map<string, () => void>;
}

const DecisionsContext = createContext<Decisions | null>(null);

/** The lists and counts that decisions about faces change. */
const CHANGED_READS = [
  'countReviewQueue',
  'listSuggestionGroups',
  'listMismatches',
  'listIdentitySummaries',
  'listIdentityBuckets',
  'getIdentity',
  'listGallery',
  'listUnknownFaces',
  'countClusters',
] as const;

/** Keeps the decisions of an environment while the person goes from page to page. */
export function DecisionsProvider({ children }: { readonly children: ReactNode }) {
  const api = useApi();
  const session = useQuery({ ...sessionQuery(api), enabled: false });
  const account = session.data?.user.id ?? '';
  const decisions = useMemo(() => createDecisions(api, account), [api, account]);
  const { queue } = decisions;
  useEffect(() => queue.start(), [queue]);
  useEffect(() => {
    window.addEventListener('online', queue.wake);
    return () => window.removeEventListener('online', queue.wake);
  }, [queue]);
  useResults(decisions);
  return <DecisionsContext.Provider value={decisions}>{children}</DecisionsContext.Provider>;
}

function createDecisions(api: Api, account: string): Decisions {
  const environment = api.environment ?? 0;
  const queue = new DecisionQueue({
    send: (decision, begin) => sendDecision(api, decision, begin),
    judge: judgeFailure,
    stored: readDecisions(account, environment),
    store: (unanswered) => storeDecisions(account, environment, unanswered),
  });
  return { queue, forget: new Map() };
}

/** Says what became of decisions, and reads again what they have changed. */
function useResults({ queue, forget }: Decisions): void {
  const texts = useMessages(MESSAGES);
  const describe = useDescribeError();
  const invalidate = useInvalidate();
  const { announce } = useUndoable();
  const latest = useRef({ texts, describe, invalidate, announce });
  useEffect(() => {
    latest.current = { texts, describe, invalidate, announce };
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = queue.onEnd(({ id }, outcome) => {
      const now = latest.current;
      if (outcome.kind !== 'done') {
        forget.get(id)?.();
        now.announce(
          outcome.kind === 'elsewhere'
            ? now.texts.elsewhere
            : now.texts.refused(now.describe(outcome.error)),
        );
      }
      forget.delete(id);
      timer ??= setTimeout(() => {
        timer = undefined;
        void latest.current.invalidate(...CHANGED_READS);
      }, READ_AGAIN_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [queue, forget]);
}

function useDecisionsContext(): Decisions {
  const decisions = useContext(DecisionsContext);
  if (decisions === null) throw new Error('The component is outside of a DecisionsProvider.');
  return decisions;
}

export function useDecisionQueue(): DecisionQueue {
  return useDecisionsContext().queue;
}

export function useDecisionProgress(): QueueProgress {
  const { queue } = useDecisionsContext();
  return useSyncExternalStore(queue.subscribe, () => queue.progress);
}

export interface FaceDecision {
  readonly face: number;
  readonly verdict: Verdict;
  readonly seen: SeenState;
  /** The text of the bar, such as "Confirmed: Ada". */
  readonly text: string;
}

/** Returns a function that makes a decision, which can be taken back at once. */
export function useDecide(): (decision: FaceDecision) => void {
  const { queue, forget } = useDecisionsContext();
  const { begun } = useUndoable();
  return ({ face, verdict, seen, text }) => {
    const id = queue.decide(face, verdict, seen);
    forget.set(
      id,
      begun(text, {
        takeBack: () => queue.takeBack(id, face),
        onForgotten: () => queue.forgetOperation(id),
      }),
    );
  };
}
