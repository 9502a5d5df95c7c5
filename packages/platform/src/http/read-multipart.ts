import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { Base64Text } from './base64-text.ts';
import { type FormFields, kindOfPart } from './form-parts.ts';
import { FormTexts } from './form-texts.ts';
import { ClientDisconnected, HttpError, type HttpErrorCode } from './http-errors.ts';
import type { TextMembers } from './json-receiver.ts';
import { KeptBytes } from './kept-bytes.ts';
import { type BodyLimits, pipeBody } from './pipe-body.ts';
import type { SpoolFile, SpoolRange } from './spool-file.ts';

export interface MultipartLimits extends BodyLimits {
  /**
   * The maximum size of a file in bytes. A larger file does not fail the form, but it is marked and cannot be read.
   */
  readonly maxFileBytes: number;
  readonly maxFiles: number;
  /** The maximum size in bytes of a text field that contains no image. */
  readonly maxFieldBytes: number;
  readonly maxFields: number;
}

export interface MultipartOptions {
  readonly limits: MultipartLimits;
  /** Opens a temporary file for the uploaded files. If absent, the files are kept in memory. */
  readonly openSpool?: (() => Promise<SpoolFile>) | undefined;
  /** Whether to compute the SHA-256 of each file. */
  readonly digests?: boolean;
  /** The names of fields whose parts are files even if a part has no file name. */
  readonly fileFields?: ReadonlySet<string> | undefined;
  /** The names of text fields, whose parts must not be files. */
  readonly textFields?: ReadonlySet<string> | undefined;
  /** The text fields that contain images in base64. */
  readonly texts?: TextMembers | undefined;
}

export interface UploadedFile {
  readonly field: string;
  /** The file name from the client, without folders. May be empty. Must not be used as a path. */
  readonly filename: string;
  /** The number of stored bytes. */
  readonly size: number;
  readonly tooLarge: boolean;
  /** The SHA-256 of the stored bytes; null unless `digests` is set. */
  readonly digest: Uint8Array | null;
  /**
   * Returns the bytes in a new buffer that can be transferred to a worker thread. A file in memory can be read once; a
   * file on disk can be read until the form is disposed of.
   *
   * @throws HttpError file_too_large
   */
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Returns a range of a file on disk in a new buffer that can be transferred to a worker thread.
   *
   * @throws HttpError file_too_large; TypeError for a file in memory; RangeError if the range exceeds the file
   */
  readPart(part: SpoolRange): Promise<Uint8Array<ArrayBuffer>>;
}

/** A parsed form. Its disposal deletes the temporary file, so that files on disk can no longer be read. */
export interface MultipartForm extends AsyncDisposable {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** The images in base64, by field name. A repeated image is in `fields` instead. */
  readonly texts: ReadonlyMap<string, Base64Text>;
  /** The files in the order of the body. */
  readonly files: readonly UploadedFile[];
}

/**
 * The character with which the parser replaces invalid UTF-8. Text with this character is refused, so that no damaged
 * text is stored.
 */
const REPLACEMENT = '\ufffd';

const NO_NAMES: ReadonlySet<string> = new Set();
const HEADER_LIMITS = { headerPairs: 20, headerSize: 8 * 1024 };

/**
 * Reads a multipart/form-data body to its end.
 *
 * @throws HttpError unsupported_media_type, invalid_multipart, invalid_request for a text field with a file name or a
 *   body in tiny chunks, body_too_large, overloaded, field_too_large, too_many_parts, request_timeout,
 *   store_unavailable; ClientDisconnected. After an error, no uploaded data is left.
 */
export async function readMultipart(
  request: IncomingMessage,
  { limits, openSpool, digests = false, texts, ...names }: MultipartOptions,
): Promise<MultipartForm> {
  requirePlain(request.headers['content-encoding']);
  const { fileFields = NO_NAMES, textFields = NO_NAMES } = names;
  const named = { files: fileFields, texts: textFields, images: texts?.paths ?? NO_NAMES };
  const parser = createParser(request.headers['content-type'], limits, named);
  const reception = { parser, limits, named, texts: new FormTexts(texts) };
  const inMemory = digests ? hashing(keepInMemory) : keepInMemory;
  if (openSpool === undefined) return receive(request, { ...reception, store: inMemory });

  await using cleanup = new AsyncDisposableStack();
  const spool = cleanup.use(await openSpool());
  const onDisk = storeInOrder(spool);
  const store = digests ? hashing(onDisk) : onDisk;
  const form = await receive(request, { ...reception, store });
  const owned = cleanup.move();
  return { ...form, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function requirePlain(contentEncoding = 'identity'): void {
  if (contentEncoding.trim().toLowerCase() === 'identity') return;
  throw new HttpError('unsupported_media_type', 'A form must not have a content encoding.');
}

type StoredFile = Pick<UploadedFile, 'size' | 'read' | 'readPart'> & {
  readonly digest?: Uint8Array;
};
type FileStore = (chunks: AsyncIterable<Buffer>) => Promise<StoredFile>;

function hashing(store: FileStore): FileStore {
  return async (chunks) => {
    const hash = createHash('sha256');
    const tapped = async function* () {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    };
    const stored = await store(tapped());
    return { ...stored, digest: hash.digest() };
  };
}

function createParser(
  contentType: string | undefined,
  { maxFiles, maxFields, maxFieldBytes }: MultipartLimits,
  named: FormFields,
): BusboyInstance {
  if (contentType === undefined || !/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new HttpError(
      'unsupported_media_type',
      'The media type of the body has to be multipart/form-data.',
    );
  }
  // The parser treats the text fields with images as files, so the limit on files includes these fields.
  const files = maxFiles + named.images.size;
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        ...HEADER_LIMITS,
        files,
        fields: maxFields,
        parts: files + maxFields,
        fieldSize: maxFieldBytes,
      },
      isPartAFile: (field, type, filename) =>
        kindOfPart({ field, type, filename }, named) !== 'text',
    });
  } catch (cause) {
    throw new HttpError('invalid_multipart', 'The multipart boundary is missing.', { cause });
  }
}

interface Reception {
  readonly parser: BusboyInstance;
  readonly limits: MultipartLimits;
  readonly named: FormFields;
  readonly store: FileStore;
  readonly texts: FormTexts;
}

async function receive(
  request: IncomingMessage,
  { parser, limits, named, store, texts }: Reception,
): Promise<MultipartForm> {
  const fields = new Map<string, string[]>();
  const streams: BusboyFileStream[] = [];
  const pending: Promise<UploadedFile | null>[] = [];
  const { maxFiles, maxFileBytes } = limits;
  let fileCount = 0;
  const fail = (error: unknown): void => void parser.destroy(error as Error);
  const refuse = (code: HttpErrorCode, detail: string): void => fail(new HttpError(code, detail));
  const refuseParts = (): void => refuse('too_many_parts', 'The form has too many parts.');

  parser.on('field', (...[name, value, , valueTruncated]: FieldEvent) => {
    if (name === undefined) refuse('invalid_multipart', 'A part of the form has no name.');
    else if (valueTruncated) refuse('field_too_large', `The field ${name} is too large.`);
    else if (value.includes(REPLACEMENT)) refuse('invalid_multipart', notUtf8(name));
    else fields.set(name, [...(fields.get(name) ?? []), value]);
  });
  parser.on('file', (...[field, stream, filename, , type]: FileEvent) => {
    // A queued stream has no reader yet, so the error of an incomplete part would be unhandled without this listener.
    stream.on('error', ignore);
    streams.push(stream);
    if (field === undefined) {
      refuse('invalid_multipart', 'A part of the form has no name.');
      return;
    }
    const kind = kindOfPart({ field, type, filename }, named);
    if (kind === 'named_text') {
      fail(textExpected(field, named));
      return;
    }
    const chunks = stream as AsyncIterable<Buffer>;
    const isText = kind === 'image_text';
    if (!isText && ++fileCount > maxFiles) refuseParts();
    const received = isText
      ? texts.receive(field, chunks).then(() => null)
      : storeFile({ field, filename, chunks }, store, maxFileBytes);
    received.catch(fail);
    pending.push(received);
  });
  parser.on('partsLimit', refuseParts).on('filesLimit', refuseParts).on('fieldsLimit', refuseParts);

  try {
    await pipeBody(request, parser, limits);
    const files = (await Promise.all(pending)).filter((file) => file !== null);
    const dispose = () => Promise.resolve();
    return { fields, files, texts: texts.finish(fields), [Symbol.asyncDispose]: dispose };
  } catch (error) {
    for (const stream of streams) stream.destroy();
    await Promise.allSettled(pending);
    throw asMultipartError(error);
  }
}

function textExpected(field: string, { files }: FormFields): HttpError {
  const message = `Expected text in a part without a file name; files belong in ${[...files].join(' and ')}`;
  return new HttpError('invalid_request', `${field}: ${message}.`, {
    errors: [{ path: field, message }],
  });
}

function notUtf8(field: string): string {
  return `The field ${field} is not valid UTF-8.`;
}

/** The type of the event in the parser's own types wrongly says that every part has a name. */
type FieldEvent = [
  name: string | undefined,
  value: string,
  nameTruncated: boolean,
  valueTruncated: boolean,
];

type FileEvent = [
  field: string | undefined,
  stream: BusboyFileStream,
  filename: string | undefined,
  encoding: string,
  type: string,
];

interface FilePart {
  readonly field: string;
  readonly filename: string | undefined;
  readonly chunks: AsyncIterable<Buffer>;
}

async function storeFile(
  { field, filename = '', chunks }: FilePart,
  store: FileStore,
  maxBytes: number,
): Promise<UploadedFile> {
  const cut = { truncated: false };
  const {
    size,
    digest = null,
    read,
    readPart,
  } = await store(firstBytes(chunks, maxBytes, () => (cut.truncated = true)));
  const upload = { field, filename, size, digest };
  if (!cut.truncated) return { ...upload, tooLarge: false, read, readPart };
  const error = new HttpError('file_too_large', `The file ${filename} is too large.`);
  const refuse = () => Promise.reject(error);
  return { ...upload, tooLarge: true, read: refuse, readPart: refuse };
}

/** Yields the first `maxBytes` bytes. Reads and drops the rest. */
async function* firstBytes(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  onTruncated: () => void,
): AsyncGenerator<Buffer> {
  let left = maxBytes;
  for await (const chunk of chunks) {
    if (chunk.length > left) onTruncated();
    if (left > 0) yield chunk.subarray(0, left);
    left = Math.max(0, left - chunk.length);
  }
}

async function keepInMemory(stream: AsyncIterable<Buffer>): Promise<StoredFile> {
  const kept = new KeptBytes();
  for await (const chunk of stream) kept.push(chunk);
  const readPart = () =>
    Promise.reject(
      new TypeError('The file is in memory and is not read in parts: call read instead.'),
    );
  return { size: kept.size, read: () => kept.take(), readPart };
}

/** Appends the files to the temporary file one after the other, in the order of the body. */
function storeInOrder(spool: SpoolFile): FileStore {
  let previous: Promise<unknown> = Promise.resolve();
  return async (chunks) => {
    const range = previous.then(() => spool.append(chunks));
    previous = range;
    const { offset, size } = await range;
    return {
      size,
      read: () => spool.read({ offset, size }),
      readPart: async (part) => {
        if (part.offset + part.size > size)
          throw new RangeError('The requested range exceeds the file.');
        return spool.read({ offset: offset + part.offset, size: part.size });
      },
    };
  };
}

function asMultipartError(error: unknown): unknown {
  if (error instanceof HttpError || error instanceof ClientDisconnected) return error;
  // Any other error comes from the parser.
  return new HttpError('invalid_multipart', 'The multipart body is damaged or cut off.', {
    cause: error,
  });
}

function ignore(): void {
  // Intentionally empty.
}
