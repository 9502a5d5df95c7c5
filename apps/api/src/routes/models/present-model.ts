import type { ListedModel } from '@sightline/core/models/catalog-store';
import type { ModelStatus } from '@sightline/core/models/model-life';

/** The statuses of models whose files are downloaded. */
const WITH_FILES: ReadonlySet<ModelStatus> = new Set(['loading', 'active']);

export function presentModel(model: ListedModel) {
  const { status } = model;
  return {
    id: model.id,
    name: model.name,
    task: model.task,
    version: model.version,
    source_url: model.files[0] === undefined ? null : withoutSecrets(model.files[0].address),
    sha256: model.revision,
    size_bytes: model.sizeBytes,
    license: model.license,
    commercial_use: model.commercialUse,
    commercial_use_reason: model.commercialUseReason,
    status: WITH_FILES.has(status) ? ('downloaded' as const) : (status as ShownStatus),
    active: status === 'active',
    provides: [...model.provides],
    embedding_dim: model.embeddingDim,
    classes: [...model.classes],
    error: model.error,
  };
}

type ShownStatus = Exclude<ModelStatus, 'loading' | 'active'>;

/** Removes credentials and signatures, because all environments can read the address. */
function withoutSecrets(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  url.username = '';
  url.password = '';
  url.search = '';
  return url.href;
}
