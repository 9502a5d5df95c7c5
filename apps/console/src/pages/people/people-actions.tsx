import { useCommands } from '../../keys/keyboard-context.tsx';
import { SelectedBar } from '../../lists/selected-bar.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { PEOPLE_MESSAGES } from './people-messages.ts';

/** How many people can be merged at a time. */
const MOST_MERGED = 20;

export interface PeopleActionsProps {
  /** The number of selected people. */
  readonly count: number;
  readonly onTask: (kind: 'rename' | 'merge' | 'delete') => void;
  readonly onClear: () => void;
}

/** The actions for the selected people. */
export function PeopleActions({ count, onTask, onClear }: PeopleActionsProps) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const formats = useFormats();
  const canMerge = count >= 2 && count <= MOST_MERGED;
  useCommands([
    {
      id: 'people.rename',
      label: texts.rename,
      run: () => onTask('rename'),
      isDisabled: count !== 1,
    },
    {
      id: 'people.merge',
      label: texts.merge,
      run: () => onTask('merge'),
      isDisabled: !canMerge,
    },
    {
      id: 'people.delete',
      label: texts.delete,
      run: () => onTask('delete'),
      isDisabled: count === 0,
    },
  ]);
  if (count === 0) return null;
  return (
    <SelectedBar text={texts.selected(formats.number(count))} onClear={onClear}>
      <Button shortcut="people.rename" isDisabled={count !== 1} onPress={() => onTask('rename')}>
        {texts.rename}
      </Button>
      <Button shortcut="people.merge" isDisabled={!canMerge} onPress={() => onTask('merge')}>
        {texts.merge}
      </Button>
      <Button shortcut="people.delete" onPress={() => onTask('delete')}>
        {texts.delete}
      </Button>
    </SelectedBar>
  );
}
