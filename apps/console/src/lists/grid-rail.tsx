import { useMessages } from '../messages/locale-context.tsx';
import { LISTS_MESSAGES } from './lists-messages.ts';
import type { RailEntry } from './rail-entries.ts';
import styles from './windowed-grid.module.css';

export interface GridRailProps {
  readonly entries: readonly RailEntry[];
  /** The index of the first cell in view. */
  readonly firstInView: number;
  readonly onJump: (index: number) => void;
}

/** Buttons that lead to parts of a long list, such as years or letters. */
export function GridRail({ entries, firstInView, onJump }: GridRailProps) {
  const texts = useMessages(LISTS_MESSAGES);
  const current = entries.findLast(({ index }) => index <= firstInView);
  return (
    <nav className={styles.rail} aria-label={texts.jump}>
      <ul>
        {entries.map((entry) => (
          <li key={entry.index}>
            <button
              type="button"
              className={styles.mark}
              aria-current={entry === current || undefined}
              onClick={() => onJump(entry.index)}
            >
              {entry.text}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
