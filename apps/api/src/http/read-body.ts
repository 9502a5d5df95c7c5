import type { IncomingMessage } from 'node:http';
import {
  type BodyContract,
  isBodyOptional,
  type RequestMediaType,
} from '@sightline/contracts/define-contract';
import { withoutNulls } from '@sightline/contracts/without-nulls';
import { announcesBody } from '@sightline/platform/http/announces-body';
import type { BodyShare } from '@sightline/platform/http/body-memory';
import { HttpError } from '@sightline/platform/http/http-errors';
import type { TextMembers } from '@sightline/platform/http/json-receiver';
import { readJsonBody } from '@sightline/platform/http/read-json-body';
import { type MultipartForm, readMultipart } from '@sightline/platform/http/read-multipart';
import type { SpoolFile } from '@sightline/platform/http/spool-file';
import type { LoopTurns } from '@sightline/platform/resilience/loop-turns';
import type { z } from 'zod';
import type { RequestBody, Route } from './define-route.ts';
import { validateInput } from './validate-input.ts';

/** The longest time from the headers of a JSON request to the last byte of its body. */
const JSON_TIMEOUT_MS = 300_000;
const MAX_FIELDS = 20;
/** The limit in bytes of all parts of a form except its file. */
const MARGIN_BYTES = 64 * 1024;
const NO_TEXTS: RequestBody['texts'] = new Map();

export interface BodyReader {
  readonly route: Pick<Route, 'contract' | 'upload'>;
  readonly body: BodyContract;
  /** The limit of one file, in bytes. A larger file is marked as too large, and reading it fails. */
  readonly maxFileBytes: number;
  readonly memory: BodyShare;
  readonly turns: LoopTurns;
  readonly openSpool: () => Promise<SpoolFile>;
  /** Whether files are hashed while they are received. */
  readonly digests: boolean;
}

/**
 * A received body. The caller disposes of it once the answer is ready, because the files of a batch are on disk until
 * then.
 */
export type ReceivedBody = RequestBody & AsyncDisposable;

/**
 * Receives a body as a form or as JSON and validates its fields. A request without a body is treated as a request with
 * no fields.
 *
 * @throws HttpError for a body that does not match the contract; ClientDisconnected
 */
export async function readBody(
  request: IncomingMessage,
  reader: BodyReader,
): Promise<ReceivedBody> {
  if (hasNoBody(request, reader.body))
    return withoutFiles(validateInput(reader.body.fields, {}), NO_TEXTS);
  const mediaType = mediaTypeOf(request.headers['content-type'] ?? '');
  const maxBytes = mediaType && reader.body.maxBytes[mediaType];
  if (!maxBytes) {
    const accepted = Object.keys(reader.body.maxBytes).join(' or ');
    throw new HttpError(
      'unsupported_media_type',
      `The media type of the body must be ${accepted}.`,
    );
  }
  if (mediaType === 'multipart/form-data') return readForm(request, reader, maxBytes);
  const { memory, turns } = reader;
  const limits = { maxBytes, timeoutMs: JSON_TIMEOUT_MS, memory, turns };
  const { value, texts } = await readJsonBody(request, limits, textsOf(reader));
  const { fields } = reader.body;
  return withoutFiles(validateInput(fields, withoutNulls(fields, value)), texts);
}

function textsOf({ body, maxFileBytes, digests }: BodyReader): TextMembers {
  return { paths: new Set(body.imageTexts), maxBytes: maxFileBytes, digests };
}

/**
 * Whether a request counts as one without a body. Some clients announce JSON although they send nothing, which is the
 * same where the body is optional.
 */
function hasNoBody(request: IncomingMessage, body: BodyContract): boolean {
  if (announcesBody(request)) return false;
  const { 'content-type': contentType } = request.headers;
  if (contentType === undefined) return true;
  const mediaType = mediaTypeOf(contentType);
  const takesJson = body.maxBytes['application/json'] !== undefined;
  return mediaType === 'application/json' && takesJson && isBodyOptional(body);
}

function withoutFiles(fields: RequestBody['fields'], texts: RequestBody['texts']): ReceivedBody {
  return { fields, texts, files: [], [Symbol.asyncDispose]: () => Promise.resolve() };
}

function mediaTypeOf(contentType: string): RequestMediaType | null {
  if (/^multipart\//i.test(contentType)) return 'multipart/form-data';
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType) ? 'application/json' : null;
}

async function readForm(
  request: IncomingMessage,
  reader: BodyReader,
  maxBytes: number,
): Promise<ReceivedBody> {
  const { route, body, maxFileBytes, memory, openSpool, digests } = reader;
  const { upload } = route;
  if (upload === undefined)
    throw new TypeError(`${route.contract.path} takes forms without limits.`);
  const { files, maxFileBytes: ofRoute, ...limits } = upload;
  await using cleanup = new AsyncDisposableStack();
  const form = cleanup.use(
    await readMultipart(request, {
      digests,
      texts: textsOf(reader),
      fileFields: new Set(Object.keys(body.files.shape)),
      textFields: new Set(Object.keys(body.fields.shape)),
      ...(files !== 'memory' && { openSpool }),
      limits: {
        ...limits,
        // A form of more bytes must contain a file that is too large, so it is refused before it is read to its end.
        maxBytes:
          ofRoute === undefined ? maxBytes : Math.min(maxBytes, maxFileBytes + MARGIN_BYTES),
        maxFileBytes,
        maxFields: MAX_FIELDS,
        // Only files that stay in memory count against the memory limit; other files go to disk.
        ...(files === 'memory' && { memory }),
      },
    }),
  );
  const fields = validateInput(body.fields, textFields(body, form));
  const kept = cleanup.move();
  return {
    fields,
    // A browser sends an empty part without a name for a file that was not chosen.
    files: form.files.filter(({ filename, size }) => filename !== '' || size > 0),
    texts: new Map([...form.texts].filter(([, text]) => !text.isBlank)),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/**
 * Returns the text of a field that occurs once. The value of a repeated field is a list, which the schemas refuse. An
 * optional field that was left empty is absent, because browsers send all fields of a form.
 */
function textFields({ fields }: BodyContract, form: MultipartForm): Record<string, unknown> {
  const shape = fields.shape as Readonly<Record<string, z.ZodType>>;
  const isLeftEmpty = (name: string, value: string) =>
    value === '' && shape[name]?.safeParse(undefined).success === true;
  return Object.fromEntries(
    [...form.fields]
      .map(([name, values]) => [name, values.filter((value) => !isLeftEmpty(name, value))] as const)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}
