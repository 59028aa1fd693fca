import type { SignatureFinding } from './explain-signature.js';

/** What the server signed where the given signature was another; never a secret, nor the right signature. */
export interface RefusedSignature {
  readonly method: string;
  /** As sent, with the whole query. */
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  /** How far the timestamp was ahead of the server’s time; negative: behind it. */
  readonly secondsAhead: number;
  /** What the given signature turned out to be. */
  readonly finding: SignatureFinding;
  /** Of the body as it was received. */
  readonly bodyBytes: number;
  /** Hex. */
  readonly bodySha256: string;
}
