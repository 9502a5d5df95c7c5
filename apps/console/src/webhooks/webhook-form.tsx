import { useState } from 'react';
import { useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { DialogActions } from '../ui/dialog.tsx';
import { Failure, fieldErrors } from '../ui/failure.tsx';
import { isProblem } from '../client/api-error.ts';
import { Form } from '../ui/form.tsx';
import { TextInput } from '../ui/text-input.tsx';
import styles from './webhook-form.module.css';
import { WEBHOOK_MESSAGES } from './webhook-messages.ts';
import { EVENT_NAMES, EVENT_TEXTS, type EventName } from './webhook-texts.ts';

export interface WebhookFields {
  readonly url: string;
  readonly label: string | null;
  /** An empty list means all. */
  readonly events: EventName[];
}

export interface WebhookFormProps {
  readonly initial: WebhookFields;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onSubmit: (fields: WebhookFields) => void;
  readonly onCancel: () => void;
  /** Further inputs, before the buttons. */
  readonly children?: React.ReactNode;
}

/** The members of a webhook that a person changes. */
export function WebhookForm(props: WebhookFormProps) {
  const { initial, error, isPending, onSubmit, onCancel, children } = props;
  const texts = useMessages(WEBHOOK_MESSAGES);
  const [url, setUrl] = useState(initial.url);
  const [label, setLabel] = useState(initial.label ?? '');
  const [events, setEvents] = useState<readonly EventName[] | null>(
    initial.events.length === 0 ? null : initial.events,
  );
  const hasNoEvent = events?.length === 0;
  const submit = () => {
    if (isPending || hasNoEvent) return;
    onSubmit({
      url: url.trim(),
      label: label.trim() === '' ? null : label,
      events: [...(events ?? [])],
    });
  };
  const errors = addressErrors(error);
  const isShown = errors.url !== undefined || errors.label !== undefined;
  return (
    <Form onSubmit={submit}>
      <TextInput
        label={texts.address}
        hint={texts.addressHint}
        type="url"
        value={url}
        onChange={setUrl}
        error={errors.url}
        isRequired
        autoFocus
      />
      <TextInput
        label={texts.label}
        hint={texts.labelHint}
        value={label}
        onChange={setLabel}
        error={errors.label}
      />
      <EventChoice events={events} onChange={setEvents} />
      {hasNoEvent && <p>{texts.chooseEvents}</p>}
      {children}
      {error && !isShown && <Failure error={error} />}
      <DialogActions>
        <Button onPress={onCancel}>{texts.cancel}</Button>
        <Button type="submit" look="primary">
          {texts.save}
        </Button>
      </DialogActions>
    </Form>
  );
}

/** The errors by field. A refused address is shown beside its input, whatever the reason. */
function addressErrors(error: Error | null): Readonly<Record<string, string>> {
  return isProblem(error, 'target_refused') ? { url: error.problem.detail } : fieldErrors(error);
}

interface EventChoiceProps {
  /** Null for all events. */
  readonly events: readonly EventName[] | null;
  readonly onChange: (events: readonly EventName[] | null) => void;
}

function EventChoice({ events, onChange }: EventChoiceProps) {
  const texts = useMessages(WEBHOOK_MESSAGES);
  const names = useMessages(EVENT_TEXTS);
  return (
    <fieldset className={styles.events}>
      <legend>{texts.events}</legend>
      <Checkbox
        isSelected={events === null}
        onChange={(isAll) => onChange(isAll ? null : EVENT_NAMES)}
      >
        {texts.allEvents}
      </Checkbox>
      {events !== null &&
        EVENT_NAMES.map((name) => (
          <Checkbox
            key={name}
            isSelected={events.includes(name)}
            onChange={(isChosen) =>
              onChange(isChosen ? [...events, name] : events.filter((each) => each !== name))
            }
          >
            {names[name]} <code>{name}</code>
          </Checkbox>
        ))}
    </fieldset>
  );
}
