/**
 * The status of a model. `available`: it is listed, but not downloaded. `loading`: its ONNX sessions are being opened.
 * `active`: it serves its task. `failed`: its download or its load failed.
 */
export type ModelStatus =
  'available' | 'downloading' | 'downloaded' | 'loading' | 'active' | 'failed';

/**
 * An event in the life of a model. `download` and `load`: the download or the load begins. `found`: a process has found
 * the model's files. `activate`: the model becomes active. `replace`: another model becomes active instead. `fail`: the
 * download or the load failed. `cancel`: the download was cancelled.
 */
export type ModelEvent = 'download' | 'found' | 'load' | 'activate' | 'replace' | 'fail' | 'cancel';

/** The status after each event. Null means that the event cannot happen in this status. */
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
