import { useState } from 'react';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { OBJECTS_MESSAGES } from './objects-messages.ts';
import styles from './objects.module.css';
import { useSaveSetting } from './use-save-setting.ts';
import type { SettingDialogProps } from './vocabulary-dialog.tsx';

/** The classes that are looked for, among those of the models with fixed classes. */
export function ClassFilterDialog({ setting, onClose }: SettingDialogProps) {
  const texts = useMessages(OBJECTS_MESSAGES);
  const formats = useFormats();
  const { key, value, options } = setting;
  const [chosen, setChosen] = useState<readonly string[]>(Array.isArray(value) ? value : []);
  const [search, setSearch] = useState('');
  const save = useSaveSetting({ key, name: texts.classFilter, onSaved: onClose });
  const shown = (options ?? []).filter((name) => name.includes(search.trim().toLowerCase()));
  const toggle = (name: string, isChosen: boolean) =>
    setChosen(isChosen ? [...chosen, name] : chosen.filter((each) => each !== name));
  return (
    <Dialog title={texts.classFilter} isOpen onClose={onClose} isWide>
      <TextInput label={texts.searchClasses} value={search} onChange={setSearch} />
      <div role="group" aria-label={texts.classes} className={styles.options}>
        {shown.map((name) => (
          <Checkbox
            key={name}
            isSelected={chosen.includes(name)}
            onChange={(isChosen) => toggle(name, isChosen)}
          >
            {name}
          </Checkbox>
        ))}
      </div>
      <p role="status">
        {chosen.length === 0
          ? texts.noFilter
          : texts.selectedClasses(formats.number(chosen.length))}
      </p>
      {save.error && <Failure error={save.error} />}
      <DialogActions>
        <Button isDisabled={chosen.length === 0} onPress={() => setChosen([])}>
          {texts.none}
        </Button>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button look="primary" isBusy={save.isPending} onPress={() => save.mutate([...chosen])}>
          {texts.save}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
