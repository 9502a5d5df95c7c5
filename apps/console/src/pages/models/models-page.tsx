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
import { Progress } from '../../ui/progress.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { ActivateDialog, type Activation } from './activate-dialog.tsx';
import { DownloadDialog } from './download-dialog.tsx';
import { type Model, ModelCard } from './model-card.tsx';
import styles from './models.module.css';
import { MODELS_MESSAGES } from './models-messages.ts';
import type { ModelsSearch } from './models-search.ts';
import { useFollowedModel, useFollowModel } from './use-followed-model.ts';

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
  const follow = useFollowModel();
  const { announce } = useUndoable();
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
            const type = task.name === 'download' ? 'model_download' : 'activate_model';
            if (search.job === undefined) announce(texts.activated(task.model.name));
            else follow({ id: search.job, type }, task.model);
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
  const show = (next: ModelsSearch) => void navigate({ search: next, replace: true });
  const model = models.find(({ id }) => id === search.model);
  const previous = models.find(({ id }) => id === search.previous);
  useFollowedModel(search, model, () => show({ ...search, job: undefined }));
  const element = (onTask: (task: Task) => void) => {
    if (model === undefined || search.job !== undefined) return null;
    if (!model.active || previous === undefined || previous.id === model.id) return null;
    return (
      <Notice>
        <p>{texts.activated(model.name)}</p>
        <p className={styles.quiet}>{texts.wayBackText}</p>
        <NoticeActions>
          <Button onPress={() => onTask({ name: 'activate', model: previous })}>
            {texts.wayBack(previous.name)}
          </Button>
          <Button onPress={() => show(NO_SEARCH)}>{texts.close}</Button>
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
      <Progress
        label={texts.embeddingsTitle}
        value={done + failed}
        total={total}
        text={texts.progress(formats.number(done + failed), formats.number(total))}
      />
    </Notice>
  );
}
