import { useState } from 'react';
import { defineMessages } from '../messages/define-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { TextInput } from '../ui/text-input.tsx';

const MESSAGES = defineMessages({
  en: {
    next: 'New password',
    hint: 'At least 10 characters',
    repeat: 'New password, again',
    different: 'The passwords do not match.',
  },
  de: {
    next: 'Neues Passwort',
    hint: 'Mindestens 10 Zeichen',
    repeat: 'Neues Passwort wiederholen',
    different: 'Die Passwörter stimmen nicht überein.',
  },
});

/** A password that is typed twice. */
export function useNewPassword() {
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  return {
    password,
    setPassword,
    repeated,
    setRepeated,
    isRepeated: password === repeated,
    /** Whether the second one cannot become the first one any more. */
    isDifferent: repeated !== '' && repeated !== password,
  };
}

export interface NewPasswordFieldsProps {
  readonly state: ReturnType<typeof useNewPassword>;
  /** The sentence of the service about the password. */
  readonly refused: string | undefined;
}

export function NewPasswordFields({ state, refused }: NewPasswordFieldsProps) {
  const texts = useMessages(MESSAGES);
  return (
    <>
      <TextInput
        label={texts.next}
        hint={texts.hint}
        type="password"
        autoComplete="new-password"
        value={state.password}
        onChange={state.setPassword}
        error={refused}
        isRequired
      />
      <TextInput
        label={texts.repeat}
        type="password"
        autoComplete="new-password"
        value={state.repeated}
        onChange={state.setRepeated}
        error={state.isDifferent ? texts.different : null}
        isRequired
      />
    </>
  );
}
