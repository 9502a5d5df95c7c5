import { useEffect, useRef } from 'react';
import { useInvalidate } from '../../client/api-context.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';

/** The times after a change at which the groups are read again, in ms. */
const LATE_MS = [1_500, 5_000];

type Timer = ReturnType<typeof setTimeout>;

/**
 * Reads suggestions again some time after a change, because those of faces return late after an undo, and no answer
 * tells when. The last reading of a change takes place even if the page was left by then, because it would otherwise
 * show the suggestions of before when the person comes back.
 */
export function useLateSuggestions(): void {
  const { announcement } = useUndoable();
  const invalidate = useInvalidate();
  const latest = useRef(invalidate);
  const timers = useRef<readonly Timer[]>([]);
  useEffect(() => {
    latest.current = invalidate;
  });
  const change = announcement?.id;
  useEffect(() => {
    if (change === undefined) return;
    timers.current.forEach(clearTimeout);
    timers.current = LATE_MS.map((ms) =>
      setTimeout(() => void latest.current('listSuggestionGroups', 'countReviewQueue'), ms),
    );
  }, [change]);
}
