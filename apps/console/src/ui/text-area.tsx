import { FieldError, Label, TextArea as AriaTextArea, TextField } from 'react-aria-components';
import styles from './text-input.module.css';

export interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows: number;
  readonly error?: string | null;
}

/** A text of several lines. */
export function TextArea({ label, value, onChange, rows, error }: TextAreaProps) {
  return (
    <TextField
      className={styles.field}
      value={value}
      onChange={onChange}
      isInvalid={error !== undefined && error !== null}
      validationBehavior="aria"
    >
      <Label className={styles.label}>{label}</Label>
      <AriaTextArea className={styles.input} rows={rows} spellCheck={false} />
      <FieldError className={styles.error}>{error}</FieldError>
    </TextField>
  );
}
