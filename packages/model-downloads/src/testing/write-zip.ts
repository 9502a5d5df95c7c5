import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipMember {
  readonly name: string;
  readonly content: Uint8Array;
  /** The uncompressed size that the directory declares; by default the actual size. */
  readonly declared?: number;
}

/** Creates a ZIP file with deflated members, like a wheel. */
export function writeZip(members: readonly ZipMember[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const data = deflateRawSync(member.content);
    const name = Buffer.from(member.name);
    const common = describeMember(member, { name, data });
    const local = Buffer.concat([signature(0x04034b50), common, name, data]);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(offset, 10);
    bodies.push(local);
    directory.push(Buffer.concat([signature(0x02014b50), version(), common, central, name]));
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, entries, signature(0x06054b50), end]);
}

/** The fields that the local header and the directory share, in the same order. */
function describeMember(
  { content, declared = content.length }: ZipMember,
  { name, data }: { readonly name: Buffer; readonly data: Buffer },
): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(declared, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function version(): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(20);
  return bytes;
}
