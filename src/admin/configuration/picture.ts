/** A picture as its own bytes tell; sizes in pixels. */
export interface Picture {
  readonly type: 'image/png' | 'image/webp' | 'image/jpeg';
  readonly width: number;
  readonly height: number;
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const PNG_HEADER_BYTES = 13;
/** Length, kind and checksum of a part. */
const PNG_FRAME_BYTES = 12;

const JPEG_START = Buffer.from('ffd8ff', 'hex');
const JPEG_END = Buffer.from('ffd9', 'hex');
/** Start of frame: baseline, extended, progressive. Other kinds no browser shows. */
const JPEG_FRAMES = [0xc0, 0xc1, 0xc2];
const JPEG_SCAN = 0xda;

const WEBP_HEADER_BYTES = 30;
const WEBP_LOSSLESS_SIGNATURE = 0x2f;
const WEBP_LOSSY_START = Buffer.from('9d012a', 'hex');
const WEBP_MOVES = 0x02;

/**
 * What picture these bytes are, from the first to the last; null for anything else, for one that moves, and for one
 * with something before or after it. The picture itself is not decoded.
 */
export function pictureOf(bytes: Buffer): Picture | null {
  return pngOf(bytes) ?? jpegOf(bytes) ?? webpOf(bytes);
}

function pngOf(bytes: Buffer): Picture | null {
  if (!startsWith(bytes, PNG_SIGNATURE)) return null;
  let at = PNG_SIGNATURE.length;
  let size: { width: number; height: number } | null = null;
  while (at + PNG_FRAME_BYTES <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const next = at + PNG_FRAME_BYTES + length;
    // Parts of a picture that moves.
    if (next > bytes.length || kind === 'acTL' || (size === null) !== (kind === 'IHDR'))
      return null;
    if (kind === 'IHDR') {
      if (length !== PNG_HEADER_BYTES) return null;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (kind === 'IEND')
      return size && next === bytes.length ? { type: 'image/png', ...size } : null;
    at = next;
  }
  return null;
}

function jpegOf(bytes: Buffer): Picture | null {
  if (!startsWith(bytes, JPEG_START) || !bytes.subarray(-2).equals(JPEG_END)) return null;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const kind = bytes[at + 1];
    if (JPEG_FRAMES.includes(kind)) {
      const size = { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
      return { type: 'image/jpeg', ...size };
    }
    if (kind === JPEG_SCAN) return null;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function webpOf(bytes: Buffer): Picture | null {
  const isWebp =
    bytes.length >= WEBP_HEADER_BYTES &&
    bytes.toString('latin1', 0, 4) === 'RIFF' &&
    bytes.toString('latin1', 8, 12) === 'WEBP' &&
    bytes.readUInt32LE(4) + 8 === bytes.length;
  const size = isWebp ? webpSize(bytes) : null;
  return size && { type: 'image/webp', ...size };
}

/** The three kinds of WebP have their size in three places. */
function webpSize(bytes: Buffer): { width: number; height: number } | null {
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') {
    if ((bytes[20] & WEBP_MOVES) !== 0) return null;
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  }
  if (kind === 'VP8L' && bytes[20] === WEBP_LOSSLESS_SIGNATURE) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind === 'VP8 ' && bytes.subarray(23, 26).equals(WEBP_LOSSY_START)) {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
  return null;
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}
