/**
 * How far a model is: `available` (listed, its files are elsewhere), `downloading`, `downloaded`,
 * `loading` (its sessions are being opened), `active` (answers its task), `failed`.
 */
export type ModelStatus =
  'available' | 'downloading' | 'downloaded' | 'loading' | 'active' | 'failed';

/**
 * What happens to a model: `download` begins; it is `found` where it is served from, downloaded or
 * put there; `load` begins; it becomes the active one (`activate`), or another one does (`replace`);
 * the download or the loading failed (`fail`), or the download was cancelled (`cancel`).
 */
export type ModelEvent = 'download' | 'found' | 'load' | 'activate' | 'replace' | 'fail' | 'cancel';

/** Null: the event cannot happen in this status, and changes nothing. */
type Life = Readonly<Record<ModelStatus, Readonly<Record<ModelEvent, ModelStatus | null>>>>;

export const MODEL_LIFE: Life = {
  available: {
    download: 'downloading',
    found: 'downloaded',
    load: null,
    activate: null,
    replace: null,
    fail: null,
    cancel: null,
  },
  downloading: {
    download: null,
    found: 'downloaded',
    load: null,
    activate: null,
    replace: null,
    fail: 'failed',
    cancel: 'available',
  },
  downloaded: {
    download: null,
    found: 'downloaded',
    load: 'loading',
    activate: 'active',
    replace: 'downloaded',
    fail: null,
    cancel: null,
  },
  loading: {
    download: null,
    found: 'loading',
    load: null,
    activate: 'active',
    replace: 'downloaded',
    fail: 'failed',
    cancel: null,
  },
  active: {
    download: null,
    found: 'active',
    load: null,
    activate: 'active',
    replace: 'downloaded',
    fail: null,
    cancel: null,
  },
  failed: {
    download: 'downloading',
    found: 'downloaded',
    load: null,
    activate: null,
    replace: null,
    fail: null,
    cancel: null,
  },
};
