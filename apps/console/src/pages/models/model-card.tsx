import type { OperationBody } from '../../client/operations.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './models.module.css';
import { MODELS_MESSAGES } from './models-messages.ts';

export type Model = OperationBody<'listModels'>['items'][number];

export interface ModelCardProps {
  readonly model: Model;
  readonly canChange: boolean;
  readonly onDownload: () => void;
  readonly onActivate: () => void;
}

/** A model with everything that a person has to know before it is used. */
export function ModelCard({ model, canChange, onDownload, onActivate }: ModelCardProps) {
  const texts = useMessages(MODELS_MESSAGES);
  const facts = useModelFacts(model);
  const { name, status, active, error, source_url: source } = model;
  const isDownloaded = status === 'downloaded';
  return (
    <article className={styles.card} aria-label={name}>
      <div className={styles.head}>
        <h3 className={styles.name}>{name}</h3>
        <span className={active ? styles.active : styles.state}>{useStateText(model)}</span>
        {canChange && (
          <div className={styles.actions}>
            {source !== null && status !== 'downloading' && (
              <Button
                aria-label={isDownloaded ? texts.downloadAgainOf(name) : texts.downloadOf(name)}
                onPress={onDownload}
              >
                {isDownloaded ? texts.downloadAgain : texts.download}
              </Button>
            )}
            {isDownloaded && !active && (
              <Button look="primary" aria-label={texts.activateOf(name)} onPress={onActivate}>
                {texts.activate}
              </Button>
            )}
          </div>
        )}
      </div>
      {error !== null && <Notice look="bad">{error}</Notice>}
      <Facts facts={facts} />
    </article>
  );
}

function useStateText({ active, status, source_url: source }: Model): string {
  const texts = useMessages(MODELS_MESSAGES);
  if (active) return texts.active;
  return status === 'available' && source === null ? texts.notAvailable : texts[status];
}

/** Says in words whether the license allows commercial use. */
export function useCommercialText(): (model: Model) => string {
  const texts = useMessages(MODELS_MESSAGES);
  return ({ commercial_use: allowed, commercial_use_reason: reason }) => {
    const unexplained = allowed ? texts.commercialYes : texts.commercialNo;
    const text = allowed === 'unknown' ? texts.commercialUnknown : unexplained;
    return reason === null ? text : `${text}: ${reason}`;
  };
}

function useModelFacts(model: Model): readonly Fact[] {
  const texts = useMessages(MODELS_MESSAGES);
  const formats = useFormats();
  const commercial = useCommercialText();
  const { provides, classes } = model;
  const unknownSize = model.status === 'downloaded' ? texts.noSize : texts.unknownSize;
  const sizeText = model.size_bytes === null ? unknownSize : formats.bytes(model.size_bytes);
  return [
    { name: texts.license, value: model.license },
    { name: texts.commercial, value: commercial(model) },
    { name: texts.version, value: model.version },
    {
      name: texts.size,
      value: sizeText,
    },
    ...(model.task === 'face'
      ? [
          {
            name: texts.provides,
            value:
              provides.length === 0
                ? texts.providesNothing
                : formats.list(provides.map((each) => texts[each])),
          },
        ]
      : []),
    ...(model.embedding_dim === null
      ? []
      : [{ name: texts.embedding, value: formats.number(model.embedding_dim) }]),
    ...(classes.length === 0
      ? []
      : [{ name: texts.classes, value: <ClassNames classes={classes} /> }]),
    ...(model.source_url === null
      ? []
      : [{ name: texts.source, value: <code>{model.source_url}</code> }]),
    ...(model.sha256 === null ? [] : [{ name: texts.digest, value: <code>{model.sha256}</code> }]),
  ];
}

function ClassNames({ classes }: { readonly classes: readonly string[] }) {
  const formats = useFormats();
  return (
    <details>
      <summary>{formats.number(classes.length)}</summary>
      {formats.list(classes)}
    </details>
  );
}
