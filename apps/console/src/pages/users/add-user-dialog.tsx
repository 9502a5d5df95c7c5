import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isProblem } from '../../client/api-error.ts';
import { useApi, useInvalidate } from '../../client/api-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure, fieldErrors } from '../../ui/failure.tsx';
import { Form } from '../../ui/form.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { USERS_MESSAGES } from './users-messages.ts';

/** Creates an account, and shows the password that the service made. */
export function AddUserDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useMessages(USERS_MESSAGES);
  const api = useApi();
  const invalidate = useInvalidate();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [isAdministrator, setAdministrator] = useState(false);
  const create = useMutation({
    mutationFn: () =>
      api.read('createUser', {
        body: { email, is_admin: isAdministrator, ...(name.trim() !== '' && { name }) },
      }),
    onSuccess: () => invalidate('listUsers'),
  });
  const submit = () => {
    if (!create.isPending) create.mutate();
  };
  const password = create.data?.password;
  if (password !== undefined) return <PasswordDialog password={password} onClose={onClose} />;
  const errors = userErrors(create.error);
  return (
    <Dialog title={texts.addTitle} isOpen onClose={onClose}>
      <Form onSubmit={submit}>
        <TextInput
          label={texts.email}
          value={email}
          onChange={setEmail}
          error={errors.email}
          isRequired
          autoFocus
        />
        <TextInput
          label={texts.name}
          hint={texts.nameHint}
          value={name}
          onChange={setName}
          error={errors.name}
        />
        <Checkbox isSelected={isAdministrator} onChange={setAdministrator}>
          {texts.administrator}
        </Checkbox>
        {create.error && Object.keys(errors).length === 0 && <Failure error={create.error} />}
        <DialogActions>
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary">
            {texts.create}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function userErrors(error: Error | null): Readonly<Record<string, string>> {
  return isProblem(error, 'email_exists') ? { email: error.problem.detail } : fieldErrors(error);
}
