import { compactVerify, decodeProtectedHeader, errors, FlattenedSign, flattenedVerify } from 'jose';
import type { z } from 'zod';
import type { FindKey, SigningKey, VerificationKey } from '../protocol-keys.js';
import { AnswerSignature, PROTOCOL, RequestSignature } from '../protocol/transport.js';

export type SignatureProblem =
  | 'MISSING'
  | 'MALFORMED'
  | 'UNKNOWN_KEY'
  | 'WRONG_ALGORITHM'
  | 'DOES_NOT_MATCH'
  | 'NOT_NOW'
  | 'OTHER_ADDRESS'
  | 'OTHER_METHOD'
  | 'OTHER_STATUS'
  | 'OTHER_REQUEST'
  | 'NO_REQUEST'
  | 'OTHER_STATEMENT';

const MESSAGES: Record<SignatureProblem, string> = {
  MISSING: 'x-jws-signature is missing',
  MALFORMED: 'x-jws-signature is not a detached JWS with the protected header of RLP/1',
  UNKNOWN_KEY: 'the signature names an unknown key',
  WRONG_ALGORITHM: 'the signature’s algorithm does not match its key',
  DOES_NOT_MATCH: 'the signature does not match the body',
  NOT_NOW: 'iat of the signature is more than 300 s off',
  OTHER_ADDRESS: 'htu of the signature is not this URL',
  OTHER_METHOD: 'htm of the signature is not this method',
  OTHER_STATUS: 'status of the signature is not this status',
  OTHER_REQUEST: 'req of the signature is not this request',
  NO_REQUEST: 'the signature names no request',
  OTHER_STATEMENT: 'the signature is for another Key Facts Statement',
};

/** Contains nothing of the message. */
export class SignatureRefused extends Error {
  constructor(
    readonly problem: SignatureProblem,
    options?: ErrorOptions,
  ) {
    super(MESSAGES[problem], options);
    this.name = 'SignatureRefused';
  }
}

export interface SignedRequest {
  readonly method: 'GET' | 'POST';
  /** Without a query. */
  readonly address: string;
  readonly body: Uint8Array;
}

export interface SignedAnswer {
  readonly status: number;
  readonly address: string;
  /** The request's `jti`. */
  readonly requestId: string;
  readonly body: Uint8Array;
}

interface SignWith {
  readonly key: SigningKey;
  readonly now: number;
  /** A new unguessable `jti` of 8 to 64 characters. */
  readonly id: string;
}

interface VerifyWith {
  readonly findKey: FindKey;
  /** Unix time in seconds. */
  readonly now: number;
}

const BoundOrNot = AnswerSignature.partial({ req: true });

/** Above our longest header. */
const MAX_SIGNATURE = 6_000;
const DETACHED = /^([A-Za-z0-9_-]+)\.\.([A-Za-z0-9_-]+)$/;

export function signRequest(request: SignedRequest, sign: SignWith): Promise<string> {
  return detachedJws(request.body, sign, { htm: request.method, htu: request.address });
}

export function signAnswer(answer: SignedAnswer, sign: SignWith): Promise<string> {
  const { address: htu, status, requestId: req } = answer;
  return detachedJws(answer.body, sign, { htu, status, req });
}

/**
 * The caller must ensure that the `jti` is used once.
 * @throws SignatureRefused
 */
export async function verifyRequest(
  signature: string | undefined,
  request: SignedRequest,
  verify: VerifyWith,
): Promise<z.infer<typeof RequestSignature>> {
  const header = await verified(signature, request.body, RequestSignature, verify);
  requireSame(header.htu === request.address, 'OTHER_ADDRESS');
  requireSame(header.htm === request.method, 'OTHER_METHOD');
  return header;
}

/** @throws SignatureRefused */
export async function verifyAnswer(
  signature: string | undefined,
  answer: SignedAnswer,
  verify: VerifyWith,
): Promise<z.infer<typeof AnswerSignature>> {
  const header = await verified(signature, answer.body, BoundOrNot, verify);
  const { req = null } = header;
  requireSame(header.htu === answer.address, 'OTHER_ADDRESS');
  requireSame(header.status === answer.status, 'OTHER_STATUS');
  // Last: NO_REQUEST means that everything else is correct.
  if (req === null) throw new SignatureRefused('NO_REQUEST');
  requireSame(req === answer.requestId, 'OTHER_REQUEST');
  return { ...header, req };
}

async function detachedJws(
  body: Uint8Array,
  { key, now, id }: SignWith,
  binding: Record<string, string | number>,
): Promise<string> {
  const header = {
    alg: key.algorithm,
    kid: key.kid,
    b64: false,
    crit: ['b64'],
    iat: now,
    jti: id,
    ...binding,
  };
  const jws = await new FlattenedSign(body).setProtectedHeader(header).sign(key.privateKey);
  return `${jws.protected}..${jws.signature}`;
}

async function verified<Header extends { alg: string; kid: string; iat: number }>(
  signature: string | undefined,
  body: Uint8Array,
  form: z.ZodType<Header>,
  { findKey, now }: VerifyWith,
): Promise<Header> {
  if (!signature) throw new SignatureRefused('MISSING');
  const [, protectedPart, signaturePart] =
    signature.length <= MAX_SIGNATURE ? (DETACHED.exec(signature) ?? []) : [];
  if (!protectedPart || !signaturePart) throw new SignatureRefused('MALFORMED');
  const header = readHeader(protectedPart, form);
  const key = await findKey(header.kid);
  if (!key) throw new SignatureRefused('UNKNOWN_KEY');
  requireSame(key.algorithm === header.alg, 'WRONG_ALGORITHM');
  await requireMatch({ protected: protectedPart, signature: signaturePart, payload: body }, key);
  requireSame(Math.abs(now - header.iat) <= PROTOCOL.signatureSeconds, 'NOT_NOW');
  return header;
}

function readHeader<Header>(protectedPart: string, form: z.ZodType<Header>): Header {
  let decoded: unknown;
  try {
    decoded = decodeProtectedHeader({ protected: protectedPart });
  } catch (cause) {
    throw new SignatureRefused('MALFORMED', { cause });
  }
  const read = form.safeParse(decoded);
  if (!read.success) throw new SignatureRefused('MALFORMED');
  return read.data;
}

async function requireMatch(
  jws: { protected: string; signature: string; payload: Uint8Array },
  { publicKey, algorithm }: VerificationKey,
): Promise<void> {
  try {
    await flattenedVerify(jws, publicKey, { algorithms: [algorithm] });
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError)) throw cause;
    throw new SignatureRefused('DOES_NOT_MATCH', { cause });
  }
}

function requireSame(isSame: boolean, problem: SignatureProblem): void {
  if (!isSame) throw new SignatureRefused(problem);
}

const MAX_JWS = 2_000;

/**
 * A compact JWS (RFC 7515) over the hash as text, without a time: the enclosing response has one.
 * @param hash SHA-256 in 64 lower-case hex characters
 * @throws SignatureRefused
 */
export async function verifyKeyFactsSignature(
  signature: string,
  hash: string,
  findKey: FindKey,
): Promise<void> {
  const { alg, kid } = headerOf(signature);
  const key = typeof kid === 'string' ? await findKey(kid) : null;
  if (!key) throw new SignatureRefused('UNKNOWN_KEY');
  if (alg !== key.algorithm) throw new SignatureRefused('WRONG_ALGORITHM');
  try {
    const { payload } = await compactVerify(signature, key.publicKey, { algorithms: [alg] });
    if (Buffer.from(payload).toString('latin1') === hash) return;
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError)) throw cause;
    throw new SignatureRefused('DOES_NOT_MATCH', { cause });
  }
  throw new SignatureRefused('OTHER_STATEMENT');
}

function headerOf(signature: string): { alg?: string; kid?: string } {
  if (signature.length > MAX_JWS) throw new SignatureRefused('MALFORMED');
  try {
    return decodeProtectedHeader(signature);
  } catch (cause) {
    throw new SignatureRefused('MALFORMED', { cause });
  }
}
