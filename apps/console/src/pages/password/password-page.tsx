import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouteContext, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { CardPage } from '../../frame/card-page.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { NewPasswordFields, useNewPassword } from '../../session/new-password.tsx';
import { sessionQuery } from '../../session/session.ts';
import { SignInFailure } from '../../session/sign-in-failure.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { fieldErrors } from '../../ui/failure.tsx';
import { Form } from '../../ui/form.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { PASSWORD_MESSAGES } from './password-messages.ts';

/**
 * Replaces a password. If another person or the service made it, the account can do nothing before. Otherwise the person
 * comes from the page of an account without environments.
 */
export function PasswordPage() {
  const texts = useMessages(PASSWORD_MESSAGES);
  const { api } = useRouteContext({ from: '/password' });
  const { next } = useSearch({ from: '/password' });
  const router = useRouter();
  const client = useQueryClient();
  const [current, setCurrent] = useState('');
  const chosen = useNewPassword();
  const session = useQuery({ ...sessionQuery(api), enabled: false });
  const isChosen = session.data?.user.must_change_password === false;
  const change = useMutation({
    mutationFn: () =>
      api.send('changePassword', {
        body: { current_password: current, new_password: chosen.password },
      }),
    onSuccess: async () => {
      await client.resetQueries({ queryKey: sessionQuery(api).queryKey });
      router.history.push(next ?? '/console/');
    },
  });
  const submit = () => {
    if (chosen.isRepeated && !change.isPending) change.mutate();
  };
  const refused = fieldErrors(change.error).new_password;
  return (
    <CardPage title={texts.title}>
      <p>{isChosen ? texts.otherText : texts.text}</p>
      <Form onSubmit={submit}>
        <TextInput
          label={texts.current}
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          isRequired
          autoFocus
        />
        <NewPasswordFields state={chosen} refused={refused} />
        {change.error && refused === undefined && (
          <SignInFailure error={change.error} wrong={texts.wrongCurrent} />
        )}
        <Button type="submit" look="primary" isDisabled={chosen.isDifferent}>
          {texts.save}
        </Button>
        {isChosen && (
          <Link to="/" className={buttonClass()}>
            {texts.back}
          </Link>
        )}
      </Form>
    </CardPage>
  );
}
