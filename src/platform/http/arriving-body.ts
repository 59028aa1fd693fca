import type { IncomingMessage } from 'node:http';
import { Fault } from '../errors/fault.js';

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Gives the memory back at once. It is not part of the heap, but waiting for the collector would have
 * it collect the whole heap time and again while many large bodies come.
 */
function free({ buffer, length }: Buffer): void {
  // Small ones may share theirs.
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === length;
  if (isOwn && length > 0) buffer.transfer(0);
}

/**
 * One body while it is read. Its bytes stand in one buffer that grows with them: a list of what
 * arrived would let a body that comes byte by byte cost a hundred times its size.
 */
export class ArrivingBody {
  private bytes = NOTHING;
  private length = 0;
  private end: (fault: Fault) => void = () => undefined;

  constructor(
    private readonly maxBytes: number,
    /** Told of each growth, in bytes. */
    private readonly onGrowth: (body: ArrivingBody, bytes: number) => void,
  ) {}

  get heldBytes(): number {
    return this.bytes.length;
  }

  /**
   * Reads to the end.
   * @throws Fault body_too_large, malformed_request when the client hangs up, or what it is given up with
   */
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
        // The rest of the body is discarded.
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
