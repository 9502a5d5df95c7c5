import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouteContext, useRouter, useSearch } from '@tanstack/react-router';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { useMessages } from '../../messages/locale-context.tsx';
import { sessionQuery } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { fieldErrors } from '../../ui/failure.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { SignInFailure } from '../sign-in/sign-in-form.tsx';
import { SIGN_IN_MESSAGES } from '../sign-in/sign-in-messages.ts';
import styles from '../sign-in/sign-in.module.css';

/** Replaces a password that another person or the service made, without which the account can do nothing. */
export function PasswordPage() {
  const texts = useMessages(SIGN_IN_MESSAGES);
  const { api } = useRouteContext({ from: '/password' });
  const { next } = useSearch({ from: '/password' });
  const router = useRouter();
  const client = useQueryClient();
  const [current, setCurrent] = useState('');
  const [chosen, setChosen] = useState('');
  const [repeated, setRepeated] = useState('');
  const isDifferent = repeated !== '' && repeated !== chosen;
  const change = useMutation({
    mutationFn: () =>
      api.send('changePassword', { body: { current_password: current, new_password: chosen } }),
    onSuccess: async () => {
      await client.resetQueries({ queryKey: sessionQuery(api).queryKey });
      router.history.push(next ?? '/console/');
    },
  });
  useEffect(() => {
    document.title = `${texts.passwordTitle} · Sightline`;
  }, [texts]);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (chosen === repeated && !change.isPending) change.mutate();
  };
  const refused = fieldErrors(change.error).new_password;
  return (
    <main className={styles.page}>
      <form className={styles.card} onSubmit={submit}>
        <h1>{texts.passwordTitle}</h1>
        <p>{texts.passwordText}</p>
        <TextInput
          label={texts.current}
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          isRequired
          autoFocus
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
        <TextInput
          label={texts.repeat}
          type="password"
          autoComplete="new-password"
          value={repeated}
          onChange={setRepeated}
          error={isDifferent ? texts.different : null}
          isRequired
        />
        {change.error && refused === undefined && (
          <SignInFailure error={change.error} wrong={texts.wrongCurrent} />
        )}
        <Button type="submit" look="primary" isDisabled={isDifferent}>
          {texts.save}
        </Button>
      </form>
    </main>
  );
}
