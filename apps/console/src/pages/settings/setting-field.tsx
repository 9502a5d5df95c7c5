import { type SyntheticEvent, useId, useState } from 'react';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { usePutSetting } from '../../settings/use-put-setting.ts';
import { Button } from '../../ui/button.tsx';
import { fieldErrors, useDescribeError } from '../../ui/failure.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import type { Setting } from './setting-groups.ts';
import { droppedLines, fromText, isSame, type SettingValue, toText } from './setting-value.ts';
import styles from './settings.module.css';
import { SETTINGS_MESSAGES } from './settings-messages.ts';
import { useSettingTexts } from './use-setting-texts.ts';

export interface SettingFieldProps {
  readonly setting: Setting;
  readonly canChange: boolean;
}

/** One setting, which is saved by itself. */
export function SettingField({ setting, canChange }: SettingFieldProps) {
  const texts = useMessages(SETTINGS_MESSAGES);
  const { nameOf, descriptionOf, factsOf } = useSettingTexts();
  const { put, error } = usePut(setting);
  const id = useId();
  const name = nameOf(setting);
  return (
    <section className={styles.setting} aria-labelledby={id}>
      <div className={styles.about}>
        <h3 id={id} className={styles.name}>
          {name}
          {setting.scope === 'system' && <span className={styles.mark}>{texts.installation}</span>}
        </h3>
        <p>{descriptionOf(setting)}</p>
        <p className={styles.facts}>
          {factsOf(setting).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          <code>{setting.key}</code>
        </p>
      </div>
      <div className={styles.control}>
        <Control setting={setting} canChange={canChange} error={error} onPut={put} />
        {canChange && !isSame(setting.value, setting.default) && (
          <Button look="quiet" aria-label={texts.resetOf(name)} onPress={() => put(null)}>
            {texts.reset}
          </Button>
        )}
      </div>
    </section>
  );
}

function usePut(setting: Setting) {
  const texts = useMessages(SETTINGS_MESSAGES);
  const { nameOf } = useSettingTexts();
  const describe = useDescribeError();
  const { announce } = useUndoable();
  const mutation = usePutSetting(setting.key, () => announce(texts.saved(nameOf(setting))));
  const error = mutation.error && (fieldErrors(mutation.error).value ?? describe(mutation.error));
  return {
    error,
    put: (value: SettingValue | null, onSaved?: () => void) =>
      mutation.mutate(value, { onSuccess: () => onSaved?.() }),
  };
}

interface ControlProps extends SettingFieldProps {
  readonly error: string | null;
  readonly onPut: (value: SettingValue, onSaved?: () => void) => void;
}

function Control(props: ControlProps) {
  const { setting, canChange, error, onPut } = props;
  const texts = useMessages(SETTINGS_MESSAGES);
  const { nameOf, optionText } = useSettingTexts();
  const { value, options, type } = setting;
  if (typeof value === 'boolean') {
    return (
      <>
        <Switch
          label={value ? texts.on : texts.off}
          accessibleName={nameOf(setting)}
          isOn={value}
          isDisabled={!canChange}
          onChange={(isOn) => onPut(isOn)}
        />
        {error !== null && <Refused text={error} />}
      </>
    );
  }
  if (type === 'string' && options !== null) {
    return (
      <>
        <Select
          label={nameOf(setting)}
          isLabelHidden
          isDisabled={!canChange}
          value={String(value)}
          onChange={(option) => onPut(option)}
          options={options.map((option) => ({ value: option, text: optionText(option) }))}
        />
        {error !== null && <Refused text={error} />}
      </>
    );
  }
  return <TextControl {...props} />;
}

function Refused({ text }: { readonly text: string }) {
  return (
    <p className={styles.refused} role="alert">
      {text}
    </p>
  );
}

/** A number, a text or a list, which is saved with a button or the key Enter. */
function TextControl({ setting, canChange, error, onPut }: ControlProps) {
  const texts = useMessages(SETTINGS_MESSAGES);
  const { nameOf, unitOf } = useSettingTexts();
  const [draft, setDraft] = useState<string | null>(null);
  const { type, value } = setting;
  const text = draft ?? toText(value);
  const isChanged = text !== toText(value);
  const name = nameOf(setting);
  const unit = unitOf(setting);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isChanged) onPut(fromText(type, text), () => setDraft(null));
  };
  const shown = {
    label: unit === null ? name : `${name} (${unit})`,
    isLabelHidden: true,
    value: text,
    onChange: setDraft,
    isDisabled: !canChange,
    error: isChanged ? error : null,
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {type === 'string_array' ? (
        <TextArea {...shown} rows={Math.min(Math.max(text.split('\n').length, 2), 8)} />
      ) : (
        <div className={styles.withUnit}>
          <TextInput
            {...shown}
            inputMode={type === 'string' ? 'url' : 'decimal'}
            autoComplete="off"
            onKeyDown={(event) => {
              if (event.key === 'Escape') setDraft(null);
              else event.continuePropagation();
            }}
          />
          {unit !== null && <span aria-hidden>{unit}</span>}
        </div>
      )}
      {type === 'string_array' && <DroppedLines text={text} />}
      {isChanged && (
        <div className={styles.buttons}>
          <Button type="submit" look="primary" aria-label={texts.saveOf(name)}>
            {texts.save}
          </Button>
          <Button aria-label={texts.cancelOf(name)} onPress={() => setDraft(null)}>
            {texts.cancel}
          </Button>
        </div>
      )}
    </form>
  );
}

/** The number of lines that the list loses. */
function DroppedLines({ text }: { readonly text: string }) {
  const texts = useMessages(SETTINGS_MESSAGES);
  const formats = useFormats();
  const count = droppedLines(text);
  if (count === 0) return null;
  return <p className={styles.facts}>{texts.dropped(formats.number(count))}</p>;
}
