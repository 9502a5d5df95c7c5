import { ToggleButton } from 'react-aria-components';
import styles from './try.module.css';

export interface FoundItem {
  readonly key: string;
  /** The text at the box on the photo. */
  readonly tag: string;
  readonly title: string;
  readonly note: string;
  /** Whether the title is the name of a person and not a word of the console. */
  readonly isName: boolean;
}

export interface FoundListProps {
  readonly label: string;
  readonly items: readonly FoundItem[];
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
}

/** The faces and objects in a photo. Choosing an item lights its box. */
export function FoundList({ label, items, selected, onSelect }: FoundListProps) {
  return (
    <ul className={styles.found} aria-label={label}>
      {items.map(({ key, tag, title, note, isName }) => (
        <li key={key}>
          <ToggleButton
            className={styles.item}
            isSelected={key === selected}
            onChange={() => onSelect(key)}
          >
            <span className={styles.number}>{tag}</span>
            <span className={styles.name}>{isName ? <bdi>{title}</bdi> : title}</span>
            <span className={styles.quiet}>{note}</span>
          </ToggleButton>
        </li>
      ))}
    </ul>
  );
}
