import type { IncomingMessage } from 'node:http';
import { Fault } from '../errors/fault.js';

const NOTHING: Buffer = Buffer.alloc(0);

/** Frees at once: many large bodies outside the heap would trigger full garbage collections. */
function free({ buffer, length }: Buffer): void {
  // Small buffers may share memory.
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === length;
  if (isOwn && length > 0) buffer.transfer(0);
}

/**
 * A body being read, in one growing buffer: a list of single-byte chunks would cost a hundred times
 * the size.
 */
export class ArrivingBody {
  private bytes = NOTHING;
  private length = 0;
  private end: (fault: Fault) => void = () => undefined;

  constructor(
    private readonly maxBytes: number,
    private readonly onGrowth: (body: ArrivingBody, bytes: number) => void,
  ) {}

  get heldBytes(): number {
    return this.bytes.length;
  }

  /** @throws Fault body_too_large, malformed_request when the client hangs up, or the fault of `giveUp` */
  of(request: IncomingMessage): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const onData = (chunk: Buffer) => this.add(chunk);
      const onEnd = () => {
        stop();
        resolve(this.bytes.subarray(0, this.length));
      };
      const onClose = () => this.end(new Fault('malformed_request'));
      const stop = () => {
        request.off('data', onData).off('end', onEnd).off('close', onClose);
        this.end = () => undefined;
      };
      this.end = (fault) => {
        stop();
        // Discards the rest of the body.
        request.resume();
        reject(fault);
      };
      if (request.destroyed) onClose();
      else request.on('data', onData).on('end', onEnd).on('close', onClose);
    });
  }

  giveUp(fault: Fault): void {
    free(this.bytes);
    this.bytes = NOTHING;
    this.end(fault);
  }

  private add(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (length > this.maxBytes) {
      this.end(new Fault('body_too_large'));
      return;
    }
    const before = this.bytes.length;
    if (before === 0) this.bytes = chunk;
    else if (length > before) {
      const grown = Buffer.allocUnsafeSlow(Math.min(this.maxBytes, Math.max(length, 2 * before)));
      this.bytes.copy(grown, 0, 0, this.length);
      free(this.bytes);
      this.bytes = grown;
    }
    if (before > 0) {
      chunk.copy(this.bytes, this.length);
      free(chunk);
    }
    this.length = length;
    if (this.bytes.length > before) this.onGrowth(this, this.bytes.length - before);
  }
}
