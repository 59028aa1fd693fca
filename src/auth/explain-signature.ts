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

/** What a signature turned out to be; `UNKNOWN`: none of the mistakes that are tried. */
export type SignatureFinding = 'RIGHT' | 'RIGHT_WITHOUT_QUERY' | SignatureMistake | 'UNKNOWN';

/** A signature to be explained, and what it is held against. */
export interface GivenSignature extends MistakeGround {
  /** As the caller gave it: hexadecimal, or by mistake Base64. */
  readonly signature: string;
  /** The server’s time, in seconds since the Unix epoch. */
  readonly now: number;
}

/** Why a signature is right or wrong; never a secret, nor the signature that would be right. */
export interface SignatureExplanation {
  readonly finding: SignatureFinding;
  /** On the finding; of a part that was signed otherwise also how. */
  readonly says: string;
  /** What stands before the body in what is signed. */
  readonly canonical: string;
  readonly bodyBytes: number;
  /** Hex. */
  readonly bodySha256: string;
  /** How many seconds the timestamp is ahead of the server’s time; negative: behind it. */
  readonly secondsAhead: number;
  /** Whether that is within the tolerance. */
  readonly isInTime: boolean;
}

/** Every finding, each with what to say of it. */
export const SIGNATURE_FINDINGS = {
  ...SIGNATURE_MISTAKES,
  RIGHT: 'the signature is right',
  RIGHT_WITHOUT_QUERY:
    'the signature is right over the path alone, which GET takes: sign the query, too, as every other method needs it',
  UNKNOWN:
    'the signature fits none of the usual mistakes: it is made with a secret that is none of yours, or over other bytes: compare both byte by byte',
} as const satisfies Record<SignatureFinding, string>;

/** Whether a signature is taken, when nothing else is wrong with the call. */
export function isRightFinding(
  finding: SignatureFinding,
): finding is 'RIGHT' | 'RIGHT_WITHOUT_QUERY' {
  return finding === 'RIGHT' || finding === 'RIGHT_WITHOUT_QUERY';
}

const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Says which of the known mistakes a signature fits. The work is bounded: some hundred HMACs, and a thousand
 * for small bodies. It is for a sandbox alone, since it parses the bodies of strangers.
 */
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
  return inPlace === undefined ? [] : [`what was signed has ${JSON.stringify(inPlace)} there`];
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
