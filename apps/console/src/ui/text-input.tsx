import {
  FieldError,
  Input,
  Label,
  Text,
  TextField,
  type TextFieldProps,
} from 'react-aria-components';
import styles from './text-input.module.css';

export interface TextInputProps extends Omit<TextFieldProps, 'className' | 'style' | 'children'> {
  readonly label: string;
  /** Whether only screen readers get the label, because the place explains the input. */
  readonly isLabelHidden?: boolean;
  readonly hint?: string;
  /** The sentence of the service or the page about a wrong value. */
  readonly error?: string | null | undefined;
  readonly placeholder?: string;
}

export function TextInput(all: TextInputProps) {
  const { label, isLabelHidden = false, hint, error, placeholder, ...props } = all;
  return (
    <TextField
      {...props}
      {...(isLabelHidden && { 'aria-label': label })}
      className={styles.field}
      isInvalid={error !== undefined && error !== null}
      validationBehavior="aria"
    >
      {!isLabelHidden && <Label className={styles.label}>{label}</Label>}
      <Input className={styles.input} {...(placeholder !== undefined && { placeholder })} />
      {hint !== undefined && (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.error}>{error}</FieldError>
    </TextField>
  );
}
