import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import type { Api } from '../../client/api.ts';
import { isProblem, ProblemError } from '../../client/api-error.ts';
import type { OperationBody } from '../../client/operations.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { sessionQuery } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { SIGN_IN_MESSAGES } from './sign-in-messages.ts';
import styles from './sign-in.module.css';

export interface SignInFormProps {
  readonly api: Api;
  readonly initialEmail?: string;
  readonly onSignedIn: (user: OperationBody<'signIn'>['user']) => void;
}

/** Begins a session with an e-mail address and a password. */
export function SignInForm({ api, initialEmail = '', onSignedIn }: SignInFormProps) {
  const texts = useMessages(SIGN_IN_MESSAGES);
  const client = useQueryClient();
  const [email, setEmail] = useState(initialEmail);
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => api.read('signIn', { body: { email, password } }),
    onSuccess: async ({ user }) => {
      await client.invalidateQueries({ queryKey: sessionQuery(api).queryKey });
      onSignedIn(user);
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!signIn.isPending) signIn.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextInput
        label={texts.email}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
        isRequired
        autoFocus={initialEmail === ''}
      />
      <TextInput
        label={texts.password}
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        isRequired
        autoFocus={initialEmail !== ''}
      />
      {signIn.error && <SignInFailure error={signIn.error} />}
      <Button type="submit" look="primary">
        {texts.submit}
      </Button>
    </form>
  );
}

export function SignInFailure({
  error,
  wrong,
}: {
  readonly error: Error;
  readonly wrong?: string;
}) {
  const texts = useMessages(SIGN_IN_MESSAGES);
  const formats = useFormats();
  if (isProblem(error, 'invalid_credentials')) {
    return (
      <Notice look="bad" isAlert>
        {wrong ?? texts.wrong}
      </Notice>
    );
  }
  if (error instanceof ProblemError && error.problem.code === 'rate_limited') {
    return (
      <Notice look="warn" isAlert>
        {texts.tooMany(formats.seconds(error.retryAfter ?? 60))}
      </Notice>
    );
  }
  return <Failure error={error} />;
}
