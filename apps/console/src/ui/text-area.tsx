import { FieldError, Label, TextArea as AriaTextArea, TextField } from 'react-aria-components';
import styles from './text-input.module.css';

export interface TextAreaProps {
  readonly label: string;
  /** Whether only screen readers get the label, because the place explains the input. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows: number;
  readonly error?: string | null;
  readonly isDisabled?: boolean;
}

/** A text of several lines. */
export function TextArea(props: TextAreaProps) {
  const { label, isLabelHidden = false, value, onChange, rows, error, isDisabled = false } = props;
  return (
    <TextField
      className={styles.field}
      {...(isLabelHidden && { 'aria-label': label })}
      isDisabled={isDisabled}
      value={value}
      onChange={onChange}
      isInvalid={error !== undefined && error !== null}
      validationBehavior="aria"
    >
      {!isLabelHidden && <Label className={styles.label}>{label}</Label>}
      <AriaTextArea className={styles.input} rows={rows} spellCheck={false} />
      <FieldError className={styles.error}>{error}</FieldError>
    </TextField>
  );
}
