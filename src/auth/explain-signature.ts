import { createHash, createHmac } from 'node:crypto';
import { equalBytes, sha256 } from '../platform/index.js';
import {
  canonicalHead,
  isSignatureRight,
  signRequest,
  TIMESTAMP_TOLERANCE_SECONDS,
} from './request-signature.js';
import {
  type Candidate,
  candidates,
  type MistakeGround,
  SIGNATURE_MISTAKES,
  type SignatureMistake,
} from './signature-mistakes.js';

export type SignatureFinding = 'RIGHT' | 'RIGHT_WITHOUT_QUERY' | SignatureMistake | 'UNKNOWN';

export interface GivenSignature extends MistakeGround {
  /** Hexadecimal; some callers send Base64. */
  readonly signature: string;
  /** Unix time in seconds. */
  readonly now: number;
}

/** Never contains a secret or the right signature. */
export interface SignatureExplanation {
  readonly finding: SignatureFinding;
  readonly says: string;
  readonly canonical: string;
  readonly bodyBytes: number;
  /** Hex. */
  readonly bodySha256: string;
  /** Negative when the timestamp is behind the server's time. */
  readonly secondsAhead: number;
  readonly isInTime: boolean;
}

export const SIGNATURE_FINDINGS = {
  ...SIGNATURE_MISTAKES,
  RIGHT: 'the signature is right',
  RIGHT_WITHOUT_QUERY:
    'the signature is right for the path without its query, which only GET accepts: sign the query, too',
  UNKNOWN:
    'the signature matches no known error: it uses a secret that is not yours, or signs other bytes: compare both byte by byte',
} as const satisfies Record<SignatureFinding, string>;

export function isRightFinding(
  finding: SignatureFinding,
): finding is 'RIGHT' | 'RIGHT_WITHOUT_QUERY' {
  return finding === 'RIGHT' || finding === 'RIGHT_WITHOUT_QUERY';
}

const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** Costs up to about 1,100 HMACs and parses unverified bodies: for the sandbox only. */
export function explainSignature(given: GivenSignature): SignatureExplanation {
  const { request, now } = given;
  const { finding, inPlace } = findingOf(given);
  const secondsAhead = Number(request.timestamp) - now;
  return {
    finding,
    says: [SIGNATURE_FINDINGS[finding], ...signedInPlace(inPlace)].join('; '),
    canonical: canonicalHead(request),
    bodyBytes: request.body.length,
    bodySha256: sha256(request.body),
    secondsAhead,
    isInTime: Math.abs(secondsAhead) <= TIMESTAMP_TOLERANCE_SECONDS,
  };
}

function signedInPlace(inPlace: string | undefined): string[] {
  return inPlace === undefined ? [] : [`you signed ${JSON.stringify(inPlace)} there`];
}

function findingOf(given: GivenSignature): { finding: SignatureFinding; inPlace?: string } {
  const { request, secret } = given;
  const text = given.signature.trim();
  const isHex = HEX.test(text);
  if (!isHex && !BASE64.test(text)) return { finding: 'UNKNOWN' };
  const signature = Buffer.from(text, isHex ? 'hex' : 'base64');
  const isRight = equalBytes(signRequest(secret, request), signature);
  if (isRight) return { finding: isHex ? 'RIGHT' : 'SIGNATURE_IN_BASE64' };
  if (isHex && isSignatureRight(secret, request, signature)) {
    return { finding: 'RIGHT_WITHOUT_QUERY' };
  }
  for (const candidate of candidates(given)) {
    const { mistake, inPlace } = candidate;
    if (equalBytes(signatureOf(candidate), signature)) return { finding: mistake, inPlace };
  }
  return { finding: 'UNKNOWN' };
}

function signatureOf({ key, message }: Candidate): Buffer {
  const hash = key === null ? createHash('sha256') : createHmac('sha256', key);
  for (const part of message) hash.update(part);
  return hash.digest();
}
