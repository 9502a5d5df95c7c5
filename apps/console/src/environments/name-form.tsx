import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isProblem } from '../client/api-error.ts';
import { defineMessages } from '../messages/define-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog.tsx';
import { Failure, fieldErrors } from '../ui/failure.tsx';
import { Form } from '../ui/form.tsx';
import { TextInput } from '../ui/text-input.tsx';

const MESSAGES = defineMessages({
  en: { name: 'Name', cancel: 'Cancel' },
  de: { name: 'Name', cancel: 'Abbrechen' },
});

export interface NameFormProps {
  readonly initialName?: string;
  readonly submitText: string;
  readonly onSave: (name: string) => Promise<void>;
  readonly onCancel?: () => void;
}

/** Asks for the name of an environment, and says beside it why the service refuses it. */
export function NameForm({ initialName = '', submitText, onSave, onCancel }: NameFormProps) {
  const texts = useMessages(MESSAGES);
  const [name, setName] = useState(initialName);
  const save = useMutation({ mutationFn: () => onSave(name) });
  const submit = () => {
    if (!save.isPending) save.mutate();
  };
  const refused = isProblem(save.error, 'environment_exists')
    ? save.error.problem.detail
    : fieldErrors(save.error).name;
  return (
    <Form onSubmit={submit}>
      <TextInput
        label={texts.name}
        value={name}
        onChange={setName}
        error={refused}
        isRequired
        autoFocus
      />
      {save.error && refused === undefined && <Failure error={save.error} />}
      <DialogActions>
        {onCancel && <Button onPress={onCancel}>{texts.cancel}</Button>}
        <Button type="submit" look="primary">
          {submitText}
        </Button>
      </DialogActions>
    </Form>
  );
}
