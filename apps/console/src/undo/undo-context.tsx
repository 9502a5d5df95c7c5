import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { useApi } from '../client/api-context.tsx';
import { useSend } from '../client/use-send.ts';
import type { Job } from '../jobs/job.ts';
import { useJobs } from '../jobs/jobs-context.tsx';
import { counted } from '../messages/counted.ts';
import { defineMessages } from '../messages/define-messages.ts';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { UndoJobError, undoOperation } from './undo-operation.ts';
import { type UndoneTexts, undoneText } from './undone-text.ts';
import { undoOperations, type UndoneOperations } from './undo-operations.ts';
import { useDescribeError } from '../ui/failure.tsx';
import { type UndoneChange, UndoStack } from './undo-stack.ts';

export const UNDO_MESSAGES = defineMessages({
  en: {
    undone: (text: string) => `Undone: ${text}`,
    redone: (text: string) => `Redone: ${text}`,
    skipped: (count: string) =>
      `${counted(count, 'record was', 'records were')} changed later and left as is.`,
    failed: (reason: string) => `Not undone: ${reason}`,
    partlyUndone: (text: string, reason: string) => `Undone in part: ${text}. ${reason}`,
    partlyRedone: (text: string, reason: string) => `Redone in part: ${text}. ${reason}`,
    jobStopped: 'The job was stopped.',
    nothing: 'Everything was changed later, so nothing was undone.',
    undo: 'Undo',
    redo: 'Redo',
    undoing: (text: string) => `Being undone: ${text}`,
    redoing: (text: string) => `Being repeated: ${text}`,
    showJob: 'Show the job',
    close: 'Close',
  },
  de: {
    undone: (text: string) => `Rückgängig gemacht: ${text}`,
    redone: (text: string) => `Wiederholt: ${text}`,
    skipped: (count: string) =>
      `${counted(count, 'Eintrag wurde', 'Einträge wurden')} später geändert und nicht angetastet.`,
    failed: (reason: string) => `Nicht rückgängig gemacht: ${reason}`,
    partlyUndone: (text: string, reason: string) =>
      `Teilweise rückgängig gemacht: ${text}. ${reason}`,
    partlyRedone: (text: string, reason: string) => `Teilweise wiederholt: ${text}. ${reason}`,
    jobStopped: 'Der Auftrag wurde abgebrochen.',
    nothing: 'Alles wurde später geändert, daher wurde nichts rückgängig gemacht.',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    undoing: (text: string) => `Wird rückgängig gemacht: ${text}`,
    redoing: (text: string) => `Wird wiederholt: ${text}`,
    showJob: 'Auftrag anzeigen',
    close: 'Schließen',
  },
});

/** The message about the latest change in the bar at the bottom. */
export interface Announcement {
  readonly text: string;
  readonly id: number;
  /** Whether the change can be taken back from the bar. */
  readonly canUndo: boolean;
  /** The job whose page says why something failed; null if nothing did. The message then stays until it is closed. */
  readonly job: number | null;
}

type Announce = (text: string, options?: Partial<Pick<Announcement, 'canUndo' | 'job'>>) => void;

interface Undoable {
  readonly stack: UndoStack;
  readonly announcement: Announcement | null;
  readonly announce: Announce;
  /** When something was last taken back or repeated, in ms of the page's clock; null if nothing was. */
  readonly takenBackAt: number | null;
  readonly sayTakenBack: () => void;
}

const UndoContext = createContext<Undoable | null>(null);

/** Keeps the changes of this tab in an environment. */
export function UndoProvider({ children }: { readonly children: ReactNode }) {
  const stack = useMemo(() => new UndoStack(), []);
  const [announcement, setAnnouncement] = useState<Announcement | null>(null);
  const announce = useCallback<Announce>(
    (text, options) =>
      setAnnouncement((last) => ({
        text,
        canUndo: false,
        job: null,
        ...options,
        id: (last?.id ?? 0) + 1,
      })),
    [],
  );
  const [takenBackAt, setTakenBackAt] = useState<number | null>(null);
  const sayTakenBack = useCallback(() => setTakenBackAt(performance.now()), []);
  const changes = useMemo(
    () => ({ stack, announcement, announce, takenBackAt, sayTakenBack }),
    [stack, announcement, announce, takenBackAt, sayTakenBack],
  );
  return <UndoContext.Provider value={changes}>{children}</UndoContext.Provider>;
}

export function useUndoable() {
  const changes = useContext(UndoContext);
  if (changes === null) throw new Error('The component is outside of an UndoProvider.');
  const { stack, announce, announcement, takenBackAt } = changes;
  /**
   * Says what was done. A change with operations can be taken back.
   *
   * @param job the job whose page says what failed, if something did
   * @returns a function that forgets the change, for one that becomes a part of a larger one
   */
  const done = useCallback(
    (text: string, operations: number | readonly number[] | null, job: number | null = null) => {
      const operationIds = operations === null ? [] : [operations].flat();
      const change = { operationIds, text };
      if (operationIds.length > 0) stack.push(change);
      announce(text, { canUndo: operationIds.length > 0, job });
      return () => stack.remove(change);
    },
    [stack, announce],
  );
  /**
   * Says what is being done, and that the page can take it back.
   *
   * @returns a function that forgets the change, for one that the service refuses
   */
  const begun = useCallback(
    (text: string, way: Required<Pick<UndoneChange, 'takeBack' | 'onForgotten'>>) => {
      const change = { operationIds: [], text, ...way };
      stack.push(change);
      announce(text, { canUndo: true });
      return () => stack.remove(change);
    },
    [stack, announce],
  );
  return { done, begun, announce, announcement, takenBackAt };
}

/** Returns the functions that take operations back, and say what became of it. */
export function useTakeBack() {
  const changes = useContext(UndoContext);
  if (changes === null) throw new Error('The component is outside of an UndoProvider.');
  const { sayTakenBack } = changes;
  const texts = useMessages(UNDO_MESSAGES);
  const formats = useFormats();
  const api = useApi();
  const send = useSend();
  const client = useQueryClient();
  const jobs = useJobs();
  const describe = useDescribeError();
  const reasonOf = (error: Error) => {
    if (!(error instanceof UndoJobError)) return describe(error);
    return error.isStopped ? texts.jobStopped : error.message;
  };
  const followUndo = (title: string) => (id: number) =>
    new Promise<Job>((resolve, reject) => {
      jobs.follow({ id, title, onEnd: resolve, onLost: reject });
    });
  const common: Omit<UndoneTexts, 'whole' | 'partly'> = {
    reasonOf,
    failed: texts.failed,
    nothing: texts.nothing,
    skipped: (count) => texts.skipped(formats.number(count)),
  };
  return {
    /** @param title the text beside the progress of a job */
    takeBack: async (operationIds: readonly number[], title: string) => {
      const total = await undoOperations(operationIds, (id) =>
        undoOperation(send, followUndo(title), id),
      );
      sayTakenBack();
      await client.invalidateQueries({ queryKey: [api.environment] });
      return total;
    },
    undoneOf: (text: string, result: UndoneOperations) =>
      undoneText(result, {
        ...common,
        whole: texts.undone(text),
        partly: (reason) => texts.partlyUndone(text, reason),
      }),
    redoneOf: (text: string, result: UndoneOperations) =>
      undoneText(result, {
        ...common,
        whole: texts.redone(text),
        partly: (reason) => texts.partlyRedone(text, reason),
      }),
  };
}

/** The job whose page says why an undo ended early. */
export function jobOf({ error }: Pick<UndoneOperations, 'error'>): number | null {
  return error instanceof UndoJobError ? error.job : null;
}

/** The latest change, and functions that take it back and repeat it. */
export function useUndo() {
  const changes = useContext(UndoContext);
  if (changes === null) throw new Error('The component is outside of an UndoProvider.');
  const { stack, announce } = changes;
  const texts = useMessages(UNDO_MESSAGES);
  const describe = useDescribeError();
  const { takeBack, undoneOf, redoneOf } = useTakeBack();
  const lastDone = useSyncExternalStore(stack.subscribe, () => stack.lastDone);
  const lastUndone = useSyncExternalStore(stack.subscribe, () => stack.lastUndone);
  const once = (change: () => Promise<void>) =>
    stack.alone(() =>
      change().catch((error: unknown) => announce(texts.failed(describe(error as Error)))),
    );

  return {
    lastDone,
    lastUndone,
    undo: () =>
      once(async () => {
        if (lastDone === null) return;
        const { text, operationIds } = lastDone;
        if (lastDone.takeBack !== undefined) {
          lastDone.takeBack();
          stack.remove(lastDone);
          announce(texts.undone(text));
          return;
        }
        const result = await takeBack(operationIds, texts.undoing(text));
        stack.undid(lastDone, result);
        const job = jobOf(result);
        // The rest of a job that ended early is the latest change again, unless a new one was made since.
        const canUndo = job !== null && stack.lastDone?.operationIds === result.rest;
        announce(undoneOf(text, result), { canUndo, job });
      }),
    redo: () =>
      once(async () => {
        if (lastUndone === null) return;
        const { text, operationIds } = lastUndone;
        const result = await takeBack(operationIds, texts.redoing(text));
        stack.redid(lastUndone, result);
        announce(redoneOf(text, result), { job: jobOf(result) });
      }),
  };
}
