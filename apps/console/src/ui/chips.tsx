import { Button } from 'react-aria-components';
import styles from './chips.module.css';
import { Icon } from './icon.tsx';

export interface Chip {
  readonly key: string;
  readonly text: string;
  /** The name of the chip's button for screen readers, such as "Remove filter: Without people". */
  readonly removeText: string;
  readonly onRemove: () => void;
}

/** Conditions that are in force, each of which a press removes. */
export function Chips({
  label,
  chips,
}: {
  readonly label: string;
  readonly chips: readonly Chip[];
}) {
  return (
    <ul className={styles.chips} aria-label={label}>
      {chips.map(({ key, text, removeText, onRemove }) => (
        <li key={key}>
          <Button className={styles.chip} aria-label={removeText} onPress={onRemove}>
            <bdi className={styles.text}>{text}</bdi>
            <Icon name="close" />
          </Button>
        </li>
      ))}
    </ul>
  );
}
