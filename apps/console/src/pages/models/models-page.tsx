import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../client/api-context.tsx';
import { Page } from '../../frame/page.tsx';
import { Empty } from '../../frame/page-state.tsx';
import { ReadState } from '../../frame/read-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { useRights } from '../../session/use-rights.ts';
import { Button } from '../../ui/button.tsx';
import { Notice, NoticeActions } from '../../ui/notice.tsx';
import { Panel, Panels } from '../../ui/panel.tsx';
import { useChanges } from '../../undo/changes-context.tsx';
import { ActivateDialog, type Activation } from './activate-dialog.tsx';
import { DownloadDialog } from './download-dialog.tsx';
import { type Model, ModelCard } from './model-card.tsx';
import { ModelJob } from './model-job.tsx';
import styles from './models.module.css';
import { MODELS_MESSAGES } from './models-messages.ts';
import type { ModelsSearch } from './models-search.ts';

const route = getRouteApi('/$environment/models');

const TASKS = ['face', 'object', 'open_vocabulary'] as const;
const POLL_MS = 2_000;
/** The most models that one answer lists; installations have a few. */
const MOST_MODELS = 500;

const isBusy = ({ status }: Model) => status === 'downloading';

const NO_SEARCH: ModelsSearch = { model: undefined, job: undefined, previous: undefined };

interface Task {
  readonly name: 'download' | 'activate';
  readonly model: Model;
}

/** The models of the installation, by what they find. */
export function ModelsPage() {
  const texts = useMessages(MODELS_MESSAGES);
  const formats = useFormats();
  const { isAdministrator } = useRights();
  const list = useRead(
    'listModels',
    { query: { limit: MOST_MODELS } },
    { refetchInterval: ({ state }) => (state.data?.items.some(isBusy) ? POLL_MS : false) },
  );
  const models = list.data?.items ?? [];
  const [task, setTask] = useState<Task | null>(null);
  const progress = useProgress(models);
  const { announce } = useChanges();
  return (
    <Page title={texts.title} count={list.data && formats.number(models.length)}>
      <ReadState data={list.data} error={list.error} onRetry={() => void list.refetch()}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={texts.none} text={texts.noneText} />
          ) : (
            <Panels>
              {!isAdministrator && <Notice>{texts.onlyAdministrators}</Notice>}
              {progress.element(setTask)}
              <Reembedding />
              {TASKS.map((name) => (
                <TaskPanel
                  key={name}
                  title={texts[name]}
                  models={items.filter((model) => model.task === name)}
                  onTask={setTask}
                />
              ))}
            </Panels>
          )
        }
      </ReadState>
      {task !== null && (
        <TaskDialog
          task={task}
          models={models}
          onClose={() => setTask(null)}
          onStarted={(search) => {
            setTask(null);
            if (search.job === undefined) announce(texts.activated(task.model.name));
            progress.show({ ...NO_SEARCH, model: task.model.id, ...search });
          }}
        />
      )}
    </Page>
  );
}

interface TaskDialogProps {
  readonly task: Task;
  readonly models: readonly Model[];
  readonly onClose: () => void;
  readonly onStarted: (search: Partial<ModelsSearch>) => void;
}

function TaskDialog({ task: { name, model }, models, onClose, onStarted }: TaskDialogProps) {
  if (name === 'download') {
    return (
      <DownloadDialog model={model} onClose={onClose} onStarted={(job) => onStarted({ job })} />
    );
  }
  return (
    <ActivateDialog
      model={model}
      onClose={onClose}
      onStarted={(activation) => onStarted(searchOf(activation, activeOf(models, model)))}
    />
  );
}

function activeOf(models: readonly Model[], { task }: Model): Model | undefined {
  return models.find((model) => model.active && model.task === task);
}

function searchOf(activation: Activation, active: Model | undefined): Partial<ModelsSearch> {
  if ('jobId' in activation) return { job: activation.jobId, previous: active?.id };
  return { previous: activation.previous ?? undefined };
}

/** The state of the latest download or activation, which the address names. */
function useProgress(models: readonly Model[]) {
  const texts = useMessages(MODELS_MESSAGES);
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/$environment/models' });
  const { announce } = useChanges();
  const show = (next: ModelsSearch) => void navigate({ search: next, replace: true });
  const model = models.find(({ id }) => id === search.model);
  const previous = models.find(({ id }) => id === search.previous);
  const close = () => show(NO_SEARCH);
  const element = (onTask: (task: Task) => void) => {
    if (model === undefined) return null;
    if (search.job !== undefined) {
      return (
        <ModelJob
          key={search.job}
          id={search.job}
          name={model.name}
          onClose={close}
          onDone={({ type }) => {
            const isDownload = type === 'model_download';
            announce(isDownload ? texts.downloadDone(model.name) : texts.activated(model.name));
            show(isDownload ? NO_SEARCH : { ...search, job: undefined });
          }}
        />
      );
    }
    if (!model.active || previous === undefined || previous.id === model.id) return null;
    return (
      <Notice>
        <p>{texts.activated(model.name)}</p>
        <p className={styles.quiet}>{texts.wayBackText}</p>
        <NoticeActions>
          <Button onPress={() => onTask({ name: 'activate', model: previous })}>
            {texts.wayBack(previous.name)}
          </Button>
          <Button onPress={close}>{texts.close}</Button>
        </NoticeActions>
      </Notice>
    );
  };
  return { show, element };
}

interface TaskPanelProps {
  readonly title: string;
  readonly models: readonly Model[];
  readonly onTask: (task: Task) => void;
}

function TaskPanel({ title, models, onTask }: TaskPanelProps) {
  const { isAdministrator } = useRights();
  if (models.length === 0) return null;
  const ordered = models.toSorted((a, b) => Number(b.active) - Number(a.active));
  return (
    <Panel title={title}>
      <div className={styles.cards}>
        {ordered.map((model) => (
          <ModelCard
            key={model.id}
            model={model}
            canChange={isAdministrator}
            onDownload={() => onTask({ name: 'download', model })}
            onActivate={() => onTask({ name: 'activate', model })}
          />
        ))}
      </div>
    </Panel>
  );
}

/** The images whose faces still lack embeddings of the active model. */
function Reembedding() {
  const texts = useMessages(MODELS_MESSAGES);
  const formats = useFormats();
  const health = useRead('getHealth', undefined, { refetchInterval: POLL_MS });
  const progress = health.data?.reembed ?? null;
  if (progress === null) return null;
  const { total, done, failed } = progress;
  return (
    <Notice>
      <p>{texts.embeddingsTitle}</p>
      <div className={styles.progress}>
        <progress
          aria-label={texts.embeddingsTitle}
          max={Math.max(total, 1)}
          value={done + failed}
        />
        <span>{texts.progress(formats.number(done + failed), formats.number(total))}</span>
      </div>
    </Notice>
  );
}
