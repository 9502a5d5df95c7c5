import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { ClientDisconnected, HttpError, type HttpErrorCode } from './http-errors.ts';
import { type BodyLimits, pipeBody } from './pipe-body.ts';
import { SpoolFile } from './spool-file.ts';

export interface MultipartLimits extends BodyLimits {
  /** Bytes of one file. A longer one does not fail the form: it is marked and cannot be read. */
  readonly maxFileBytes: number;
  readonly maxFiles: number;
  readonly maxFieldBytes: number;
  readonly maxFields: number;
}

export interface MultipartOptions {
  readonly limits: MultipartLimits;
  /** `memory` for one or two images; `disk` for batches: a temporary file without a name. */
  readonly files: 'memory' | 'disk';
  /** Whether the bytes are hashed as they come. */
  readonly digests?: boolean;
}

export interface UploadedFile {
  /** The name of its form field. */
  readonly field: string;
  /** From the client, without folders; may be empty. Must not be used as a path. */
  readonly filename: string;
  /** Bytes that were kept. */
  readonly size: number;
  /** Longer than `maxFileBytes`. */
  readonly tooLarge: boolean;
  /** SHA-256 of the kept bytes; null unless `digests` is set. */
  readonly digest: Uint8Array | null;
  /**
   * The bytes, in a buffer of their own that may be transferred to a worker. From memory they can
   * be read once; from disk until the form is disposed of.
   *
   * @throws HttpError file_too_large.
   */
  read(): Promise<Uint8Array<ArrayBuffer>>;
}

/** Files in the order of the body. Dispose of the form when its files are no longer needed. */
export interface MultipartForm extends AsyncDisposable {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly files: readonly UploadedFile[];
}

/** What the parser puts in place of bytes that are no text: a name would be stored with it. */
const REPLACEMENT = '\ufffd';

const HEADER_LIMITS = { headerPairs: 20, headerSize: 8 * 1024 };

/**
 * Reads a multipart/form-data body to its end.
 *
 * @throws HttpError unsupported_media_type, invalid_multipart, body_too_large, overloaded,
 *   field_too_large, too_many_parts, request_timeout; ClientDisconnected. Nothing of the upload is left then.
 */
export async function readMultipart(
  request: IncomingMessage,
  { limits, files, digests = false }: MultipartOptions,
): Promise<MultipartForm> {
  requirePlain(request.headers['content-encoding']);
  const parser = createParser(request.headers['content-type'], limits);
  const inMemory = digests ? hashing(keepInMemory) : keepInMemory;
  if (files === 'memory') return receive(request, { parser, limits, store: inMemory });

  await using cleanup = new AsyncDisposableStack();
  const spool = cleanup.use(await SpoolFile.open());
  const onDisk = storeInOrder(spool);
  const store = digests ? hashing(onDisk) : onDisk;
  const form = await receive(request, { parser, limits, store });
  const owned = cleanup.move();
  return { ...form, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function requirePlain(contentEncoding = 'identity'): void {
  if (contentEncoding.trim().toLowerCase() === 'identity') return;
  throw new HttpError('unsupported_media_type', 'A form must not have a content encoding.');
}

type StoredFile = Pick<UploadedFile, 'size' | 'read'> & { readonly digest?: Uint8Array };
type FileStore = (chunks: AsyncIterable<Buffer>) => Promise<StoredFile>;

/** Hashes a file while it is stored. */
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

function createParser(contentType: string | undefined, limits: MultipartLimits): BusboyInstance {
  if (contentType === undefined || !/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new HttpError('unsupported_media_type', 'The body has to be multipart/form-data.');
  }
  const { maxFiles, maxFields, maxFileBytes, maxFieldBytes } = limits;
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        ...HEADER_LIMITS,
        files: maxFiles,
        fields: maxFields,
        parts: maxFiles + maxFields,
        fileSize: maxFileBytes,
        fieldSize: maxFieldBytes,
      },
    });
  } catch (cause) {
    throw new HttpError('invalid_multipart', 'The multipart boundary is missing.', { cause });
  }
}

interface Reception {
  readonly parser: BusboyInstance;
  readonly limits: MultipartLimits;
  readonly store: FileStore;
}

async function receive(
  request: IncomingMessage,
  { parser, limits, store }: Reception,
): Promise<MultipartForm> {
  const fields = new Map<string, string[]>();
  const streams: BusboyFileStream[] = [];
  const pending: Promise<UploadedFile>[] = [];
  const refuse = (code: HttpErrorCode, detail: string): void =>
    void parser.destroy(new HttpError(code, detail));
  const refuseParts = (): void => refuse('too_many_parts', 'The form has too many parts.');

  parser.on('field', (...[name, value, , valueTruncated]: FieldEvent) => {
    if (name === undefined) refuse('invalid_multipart', 'A part of the form has no name.');
    else if (valueTruncated) refuse('field_too_large', `The field ${name} is too large.`);
    else if (value.includes(REPLACEMENT)) refuse('invalid_multipart', notUtf8(name));
    else fields.set(name, [...(fields.get(name) ?? []), value]);
  });
  parser.on('file', (field: string | undefined, stream, filename: string | undefined) => {
    // A queued stream has no reader yet that would notice an incomplete part.
    stream.on('error', ignore);
    streams.push(stream);
    if (field === undefined) {
      refuse('invalid_multipart', 'A part of the form has no name.');
      return;
    }
    const chunks = stream as AsyncIterable<Buffer>;
    const file = store(chunks).then((stored) => asUpload(stored, { field, filename, stream }));
    file.catch((error: unknown) => parser.destroy(error as Error));
    pending.push(file);
  });
  parser.on('partsLimit', refuseParts).on('filesLimit', refuseParts).on('fieldsLimit', refuseParts);

  try {
    await pipeBody(request, parser, limits);
    const files = await Promise.all(pending);
    return { fields, files, [Symbol.asyncDispose]: () => Promise.resolve() };
  } catch (error) {
    for (const stream of streams) stream.destroy();
    await Promise.allSettled(pending);
    throw asMultipartError(error);
  }
}

function notUtf8(field: string): string {
  return `The field ${field} is not valid UTF-8.`;
}

/** The parser's own types forget that a part may have no name. */
type FieldEvent = [
  name: string | undefined,
  value: string,
  nameTruncated: boolean,
  valueTruncated: boolean,
];

interface FilePart {
  readonly field: string;
  readonly filename: string | undefined;
  readonly stream: BusboyFileStream;
}

function asUpload(stored: StoredFile, { field, filename = '', stream }: FilePart): UploadedFile {
  const { size, digest = null } = stored;
  const upload = { field, filename, size, digest };
  if (!stream.truncated) return { ...upload, tooLarge: false, read: stored.read };
  const error = new HttpError('file_too_large', `The file ${filename} is too large.`);
  return { ...upload, tooLarge: true, read: () => Promise.reject(error) };
}

async function keepInMemory(stream: AsyncIterable<Buffer>): Promise<StoredFile> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
  }
  return {
    size,
    read: () => {
      // Not Buffer.concat: small buffers share one pool, and a pool cannot be transferred.
      const bytes = new Uint8Array(size);
      let offset = 0;
      for (const chunk of chunks.splice(0)) {
        bytes.set(chunk, offset);
        offset += chunk.length;
      }
      return Promise.resolve(bytes);
    },
  };
}

/** Parts follow each other in the body, and so do they in the file. */
function storeInOrder(spool: SpoolFile): FileStore {
  let previous: Promise<unknown> = Promise.resolve();
  return async (chunks) => {
    const range = previous.then(() => spool.append(chunks));
    previous = range;
    const { size } = await range;
    return { size, read: async () => spool.read(await range) };
  };
}

function asMultipartError(error: unknown): unknown {
  const ours = error instanceof HttpError || error instanceof ClientDisconnected;
  // A full disk is a system error; errors of the parser are the client's.
  if (ours || (error instanceof Error && 'syscall' in error)) return error;
  return new HttpError('invalid_multipart', 'The multipart body is damaged or cut off.', {
    cause: error,
  });
}

function ignore(): void {
  // On purpose.
}
