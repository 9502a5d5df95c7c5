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
import { counted } from '../messages/counted.ts';
import { defineMessages } from '../messages/define-messages.ts';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { undoOperation } from './undo-operation.ts';
import { useDescribeError } from '../ui/failure.tsx';
import { type UndoneChange, UndoStack } from './undo-stack.ts';

export const UNDO_MESSAGES = defineMessages({
  en: {
    undone: (text: string) => `Undone: ${text}`,
    redone: (text: string) => `Redone: ${text}`,
    skipped: (count: string) =>
      `${counted(count, 'record was', 'records were')} changed later and left as is.`,
    failed: (reason: string) => `Not undone: ${reason}`,
    nothing: 'Everything was changed later, so nothing was undone.',
    undo: 'Undo',
    redo: 'Redo',
  },
  de: {
    undone: (text: string) => `Rückgängig gemacht: ${text}`,
    redone: (text: string) => `Wiederholt: ${text}`,
    skipped: (count: string) =>
      `${counted(count, 'Eintrag wurde', 'Einträge wurden')} später geändert und nicht angetastet.`,
    failed: (reason: string) => `Nicht rückgängig gemacht: ${reason}`,
    nothing: 'Alles wurde später geändert, daher wurde nichts rückgängig gemacht.',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
  },
});

/** The message about the latest change in the bar at the bottom. */
export interface Announcement {
  readonly text: string;
  readonly id: number;
  /** Whether the change can be taken back from the bar. */
  readonly canUndo: boolean;
}

interface Changes {
  readonly stack: UndoStack;
  readonly announcement: Announcement | null;
  readonly announce: (text: string, canUndo?: boolean) => void;
}

const ChangesContext = createContext<Changes | null>(null);

/** Keeps the changes of this tab in an environment. */
export function ChangesProvider({ children }: { readonly children: ReactNode }) {
  const stack = useMemo(() => new UndoStack(), []);
  const [announcement, setAnnouncement] = useState<Announcement | null>(null);
  const announce = useCallback(
    (text: string, canUndo = false) =>
      setAnnouncement((last) => ({ text, canUndo, id: (last?.id ?? 0) + 1 })),
    [],
  );
  const changes = useMemo(
    () => ({ stack, announcement, announce }),
    [stack, announcement, announce],
  );
  return <ChangesContext.Provider value={changes}>{children}</ChangesContext.Provider>;
}

export function useChanges() {
  const changes = useContext(ChangesContext);
  if (changes === null) throw new Error('The component is outside of a ChangesProvider.');
  const { stack, announce, announcement } = changes;
  /** Says what was done. A change with operations can be taken back. */
  const done = useCallback(
    (text: string, operations: number | readonly number[] | null) => {
      const operationIds = operations === null ? [] : [operations].flat();
      if (operationIds.length > 0) stack.push({ operationIds, text });
      announce(text, operationIds.length > 0);
    },
    [stack, announce],
  );
  /**
   * Says what is being done, and that the page can take it back.
   *
   * @returns a function that forgets the change, for one that the service refuses
   */
  const begun = useCallback(
    (text: string, takeBack: () => void) => {
      const change = { operationIds: [], text, takeBack };
      stack.push(change);
      announce(text, true);
      return () => stack.remove(change);
    },
    [stack, announce],
  );
  return { done, begun, announce, announcement };
}

/** The latest change, and functions that take it back and repeat it. */
export function useUndo() {
  const changes = useContext(ChangesContext);
  if (changes === null) throw new Error('The component is outside of a ChangesProvider.');
  const { stack, announce } = changes;
  const texts = useMessages(UNDO_MESSAGES);
  const formats = useFormats();
  const api = useApi();
  const send = useSend();
  const client = useQueryClient();
  const describe = useDescribeError();
  const lastDone = useSyncExternalStore(stack.subscribe, () => stack.lastDone);
  const lastUndone = useSyncExternalStore(stack.subscribe, () => stack.lastUndone);

  const takeBack = async ({ operationIds }: UndoneChange) => {
    const total = { operationIds: [] as number[], undone: 0, skipped: 0 };
    for (const id of operationIds.toReversed()) {
      const { operationId, undone, skipped } = await undoOperation(api, send, id);
      if (operationId !== null) total.operationIds.push(operationId);
      total.undone += undone;
      total.skipped += skipped;
    }
    await client.invalidateQueries({ queryKey: [api.environment] });
    return total;
  };
  const once = (change: () => Promise<void>) =>
    stack.alone(() =>
      change().catch((error: unknown) => announce(texts.failed(describe(error as Error)))),
    );
  const say = (text: string, { undone, skipped }: { undone: number; skipped: number }) =>
    announce(undone === 0 ? texts.nothing : withSkipped(text, skipped));
  const withSkipped = (text: string, skipped: number) =>
    skipped === 0 ? text : `${text} ${texts.skipped(formats.number(skipped))}`;

  return {
    lastDone,
    lastUndone,
    undo: () =>
      once(async () => {
        if (lastDone === null) return;
        if (lastDone.takeBack !== undefined) {
          stack.remove(lastDone);
          lastDone.takeBack();
          announce(texts.undone(lastDone.text));
          return;
        }
        const result = await takeBack(lastDone);
        stack.undid(lastDone, result.operationIds);
        say(texts.undone(lastDone.text), result);
      }),
    redo: () =>
      once(async () => {
        if (lastUndone === null) return;
        const result = await takeBack(lastUndone);
        stack.redid(lastUndone, result.operationIds);
        say(texts.redone(lastUndone.text), result);
      }),
  };
}
