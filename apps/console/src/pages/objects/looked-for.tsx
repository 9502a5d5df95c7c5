import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useRead } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { useRole } from '../../session/use-rights.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ClassFilterDialog } from './class-filter-dialog.tsx';
import styles from './objects.module.css';
import { OBJECTS_MESSAGES } from './objects-messages.ts';
import { VocabularyDialog } from './vocabulary-dialog.tsx';

type Setting = OperationBody<'listSettings'>['items'][number];
type Model = OperationBody<'listModels'>['items'][number];

const route = getRouteApi('/$environment/objects');

/** The most words that the page shows of a list. */
const SHOWN_WORDS = 40;

/** The vocabulary and the class filter, and which of them the active model uses. */
export function LookedFor() {
  const texts = useMessages(OBJECTS_MESSAGES);
  const settings = useRead('listSettings');
  const models = useRead('listModels');
  const failed = [settings, models].find(({ error }) => error !== null);
  const find = (key: string) => settings.data?.items.find((each) => each.key === key);
  const vocabulary = find('object.vocabulary');
  const filter = find('object.class_filter');
  const active = models.data?.items.filter((model) => model.active && model.task !== 'face');
  return (
    <Panel title={texts.detected}>
      {failed?.error && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
      {active && <ActiveModels models={active} />}
      {active && vocabulary && filter && (
        <div className={styles.cards}>
          <VocabularyCard setting={vocabulary} models={active} />
          <FilterCard setting={filter} models={active} />
        </div>
      )}
    </Panel>
  );
}

function ActiveModels({ models }: { readonly models: readonly Model[] }) {
  const texts = useMessages(OBJECTS_MESSAGES);
  const formats = useFormats();
  const { environment } = route.useParams();
  if (models.length > 0) {
    return <p>{texts.activeModel(formats.list(models.map(({ name }) => name)))}</p>;
  }
  return (
    <p>
      {texts.noModel} <Link href={`/console/${environment}/models`}>{texts.toModels}</Link>
    </p>
  );
}

interface CardProps {
  readonly setting: Setting;
  /** The active models that find objects. */
  readonly models: readonly Model[];
}

function VocabularyCard({ setting, models }: CardProps) {
  const texts = useMessages(OBJECTS_MESSAGES);
  const [isOpen, setOpen] = useState(false);
  const words = textsOf(setting);
  const open = models.find(({ task }) => task === 'open_vocabulary');
  const isEmpty = words.length === 0;
  return (
    <div className={styles.card}>
      <h3>{texts.vocabulary}</h3>
      <p className={styles.quiet}>{open ? texts.vocabularyApplies : texts.vocabularyIdle}</p>
      {isEmpty && <p>{open ? texts.ownWords : texts.noWords}</p>}
      <Words words={isEmpty && open ? open.classes : words} />
      <ChangeButton name={texts.vocabulary} onPress={() => setOpen(true)} />
      {isOpen && <VocabularyDialog setting={setting} onClose={() => setOpen(false)} />}
    </div>
  );
}

function FilterCard({ setting, models }: CardProps) {
  const texts = useMessages(OBJECTS_MESSAGES);
  const [isOpen, setOpen] = useState(false);
  const classes = textsOf(setting);
  const isUsed = models.every(({ task }) => task !== 'open_vocabulary');
  return (
    <div className={styles.card}>
      <h3>{texts.classFilter}</h3>
      <p className={styles.quiet}>{isUsed ? texts.filterApplies : texts.filterIdle}</p>
      {classes.length === 0 && <p>{texts.noFilter}</p>}
      <Words words={classes} />
      <ChangeButton name={texts.classFilter} onPress={() => setOpen(true)} />
      {isOpen && <ClassFilterDialog setting={setting} onClose={() => setOpen(false)} />}
    </div>
  );
}

function Words({ words }: { readonly words: readonly string[] }) {
  const formats = useFormats();
  if (words.length === 0) return null;
  const left = words.length - SHOWN_WORDS;
  return (
    <ul className={styles.words}>
      {words.slice(0, SHOWN_WORDS).map((word) => (
        <li key={word}>
          <bdi>{word}</bdi>
        </li>
      ))}
      {left > 0 && <li>+{formats.number(left)}</li>}
    </ul>
  );
}

interface ChangeButtonProps {
  readonly name: string;
  readonly onPress: () => void;
}

/** The way to a dialog, for owners alone: the service refuses changes of others. */
function ChangeButton({ name, onPress }: ChangeButtonProps) {
  const texts = useMessages(OBJECTS_MESSAGES);
  const role = useRole();
  if (role !== undefined && role !== 'owner') {
    return <p className={styles.quiet}>{texts.ownersOnly}</p>;
  }
  return (
    <Button aria-label={texts.changeOf(name)} onPress={onPress}>
      {texts.change}
    </Button>
  );
}

/** The value of a setting that is a list of texts. */
function textsOf({ value }: Setting): readonly string[] {
  return Array.isArray(value) ? value : [];
}
