import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Api } from '../client/api.ts';
import type { OperationBody } from '../client/operations.ts';
import { defineMessages } from '../messages/define-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { sessionQuery } from './session.ts';
import { SignInFailure } from './sign-in-failure.tsx';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { TextInput } from '../ui/text-input.tsx';

const MESSAGES = defineMessages({
  en: { email: 'E-mail address', password: 'Password', submit: 'Sign in' },
  de: { email: 'E-Mail-Adresse', password: 'Passwort', submit: 'Anmelden' },
});

export interface SignInFormProps {
  readonly api: Api;
  readonly initialEmail?: string;
  readonly onSignedIn: (user: OperationBody<'signIn'>['user']) => void;
}

/** Begins a session with an e-mail address and a password. */
export function SignInForm({ api, initialEmail = '', onSignedIn }: SignInFormProps) {
  const texts = useMessages(MESSAGES);
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
  const submit = () => {
    if (!signIn.isPending) signIn.mutate();
  };
  return (
    <Form onSubmit={submit}>
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
    </Form>
  );
}
