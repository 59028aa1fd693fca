import { inflateSync } from 'node:zlib';

const WOFF = 0x774f4646;
const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;
const ALIGNMENT = 4;

export interface FontTable {
  readonly tag: number;
  readonly checksum: number;
  readonly bytes: Buffer;
}

/**
 * Unpacks WOFF 1.0 (W3C): the PDF library would spend a third of a second on it for each document.
 * @throws Error for other bytes
 */
export function openTypeFile(woff: Buffer): Buffer {
  if (woff.readUInt32BE(0) !== WOFF) throw new Error('not a WOFF file');
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) =>
    tableAt(woff, WOFF_HEADER + index * WOFF_ENTRY),
  );
  return fontOf(woff.readUInt32BE(4), tables);
}

/** @param tables in the order of their tags */
export function fontOf(flavour: number, tables: readonly FontTable[]): Buffer {
  return Buffer.concat([
    header(flavour, tables.length),
    directory(tables),
    ...tables.map(({ bytes }) => padded(bytes)),
  ]);
}

function tableAt(woff: Buffer, entry: number): FontTable {
  const [tag, offset, packedLength, length, checksum] = [0, 4, 8, 12, 16].map((at) =>
    woff.readUInt32BE(entry + at),
  );
  const packed = woff.subarray(offset, offset + packedLength);
  // WOFF stores incompressible tables as they are.
  const bytes = packedLength === length ? packed : inflateSync(packed);
  if (bytes.length !== length) throw new Error('a table of the WOFF file is cut short');
  return { tag, checksum, bytes };
}

function header(flavour: number, count: number): Buffer {
  const power = 2 ** Math.floor(Math.log2(count));
  const bytes = Buffer.alloc(SFNT_HEADER);
  bytes.writeUInt32BE(flavour, 0);
  bytes.writeUInt16BE(count, 4);
  bytes.writeUInt16BE(power * SFNT_ENTRY, 6);
  bytes.writeUInt16BE(Math.log2(power), 8);
  bytes.writeUInt16BE((count - power) * SFNT_ENTRY, 10);
  return bytes;
}

function directory(tables: readonly FontTable[]): Buffer {
  let offset = SFNT_HEADER + tables.length * SFNT_ENTRY;
  const entries = tables.map(({ tag, checksum, bytes }) => {
    const entry = Buffer.alloc(SFNT_ENTRY);
    [tag, checksum, offset, bytes.length].forEach((value, index) =>
      entry.writeUInt32BE(value, index * 4),
    );
    offset += padded(bytes).length;
    return entry;
  });
  return Buffer.concat(entries);
}

function padded(bytes: Buffer): Buffer {
  const missing = (ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}
