import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../client/api-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { SignInFailure } from '../../session/sign-in-failure.tsx';
import { Button } from '../../ui/button.tsx';
import { fieldErrors } from '../../ui/failure.tsx';
import { Form } from '../../ui/form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { ACCOUNT_MESSAGES } from './account-messages.ts';

export function PasswordSection() {
  const texts = useMessages(ACCOUNT_MESSAGES);
  const api = useApi();
  const { announce } = useUndoable();
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
  const submit = () => {
    if (!change.isPending) change.mutate();
  };
  const refused = fieldErrors(change.error).new_password;
  return (
    <Panel title={texts.password}>
      <Form onSubmit={submit}>
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
      </Form>
    </Panel>
  );
}
