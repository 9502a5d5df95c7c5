import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { useApi } from '../../client/api-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { fieldErrors } from '../../ui/failure.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useChanges } from '../../undo/changes-context.tsx';
import { SignInFailure } from '../sign-in/sign-in-form.tsx';
import { ACCOUNT_MESSAGES } from './account-messages.ts';
import styles from './account.module.css';
import { Section } from './section.tsx';

export function PasswordSection() {
  const texts = useMessages(ACCOUNT_MESSAGES);
  const api = useApi();
  const { announce } = useChanges();
  const [current, setCurrent] = useState('');
  const [chosen, setChosen] = useState('');
  const change = useMutation({
    mutationFn: () =>
      api.send('changePassword', { body: { current_password: current, new_password: chosen } }),
    onSuccess: () => {
      setCurrent('');
      setChosen('');
      announce(texts.passwordChanged);
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!change.isPending) change.mutate();
  };
  const refused = fieldErrors(change.error).new_password;
  return (
    <Section title={texts.password}>
      <form className={styles.form} onSubmit={submit}>
        <TextInput
          label={texts.current}
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          isRequired
        />
        <TextInput
          label={texts.next}
          hint={texts.nextHint}
          type="password"
          autoComplete="new-password"
          value={chosen}
          onChange={setChosen}
          error={refused}
          isRequired
        />
        {change.error && refused === undefined && (
          <SignInFailure error={change.error} wrong={texts.wrongCurrent} />
        )}
        <div>
          <Button type="submit">{texts.change}</Button>
        </div>
      </form>
    </Section>
  );
}
