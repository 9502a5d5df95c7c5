import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a ZIP. `claims` makes its headers lie about the data. */
export interface RawEntry {
  /** The name, encoded as Latin-1. */
  readonly name: string;
  readonly data?: Uint8Array;
  readonly isDeflated?: boolean;
  /** Values that the headers state instead of the true values. */
  readonly claims?: {
    readonly flags?: number;
    readonly method?: number;
    readonly crc?: number;
    readonly packedSize?: number;
    readonly size?: number;
    readonly offset?: number;
    readonly mode?: number;
  };
  /** The name in the local header, if that differs from `name`. */
  readonly localName?: string;
}

/** Builds a ZIP byte by byte, so that tests can make invalid ZIPs. */
export function rawZip(entries: readonly RawEntry[]): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { name, data = new Uint8Array(), isDeflated = false, claims = {} } = entry;
    const packed = isDeflated ? deflateRawSync(data) : Buffer.from(data);
    const fields = {
      flags: 0,
      method: isDeflated ? 8 : 0,
      crc: crc32(data),
      packedSize: packed.length,
      size: data.length,
      offset,
      mode: 0o100644,
      ...claims,
    };
    const local = localHeader(fields, entry.localName ?? name);
    parts.push(local, packed);
    offset += local.length + packed.length;
    directory.push(centralHeader(fields, name));
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([...parts, central, endOf(entries.length, central.length, offset)]);
}

type Fields = Required<NonNullable<RawEntry['claims']>>;

function common({ flags, method, crc, packedSize, size }: Fields, name: string): Buffer {
  const fields = Buffer.alloc(24);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(flags, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(packedSize, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function localHeader(fields: Fields, name: string): Buffer {
  const signature = Buffer.from('504b0304', 'hex');
  return Buffer.concat([
    signature,
    common(fields, name),
    Buffer.alloc(2),
    Buffer.from(name, 'latin1'),
  ]);
}

function centralHeader(fields: Fields, name: string): Buffer {
  const signature = Buffer.from('504b01021403', 'hex');
  const rest = Buffer.alloc(16);
  rest.writeUInt32LE((fields.mode << 16) >>> 0, 8);
  rest.writeUInt32LE(fields.offset, 12);
  return Buffer.concat([signature, common(fields, name), rest, Buffer.from(name, 'latin1')]);
}

function endOf(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('504b0506', 'hex');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
