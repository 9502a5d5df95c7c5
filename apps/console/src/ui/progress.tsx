import { Label, ProgressBar } from 'react-aria-components';
import styles from './progress.module.css';

export interface ProgressProps {
  readonly label: string;
  /** Whether only screen readers get the label, because the text beside it says the same. */
  readonly isLabelHidden?: boolean;
  /** Whether only screen readers get the text, for the same reason. */
  readonly isTextHidden?: boolean;
  /** The number that is done; at most the total. */
  readonly value: number;
  /** The number of all; 0 while it is not known. */
  readonly total: number;
  /** The progress in words, such as "3 of 7 images". */
  readonly text: string;
}

/** How far some work is. */
export function Progress(props: ProgressProps) {
  const { label, isLabelHidden = false, isTextHidden = false, value, total, text } = props;
  return (
    <ProgressBar
      className={styles.field}
      {...(isLabelHidden && { 'aria-label': label })}
      value={value}
      maxValue={Math.max(total, 1)}
      valueLabel={text}
    >
      {({ percentage = 0, valueText }) => (
        <>
          {!isLabelHidden && <Label>{label}</Label>}
          {!isTextHidden && <span className={styles.value}>{valueText}</span>}
          <div className={styles.track}>
            <div className={styles.fill} style={{ width: `${percentage}%` }} />
          </div>
        </>
      )}
    </ProgressBar>
  );
}
