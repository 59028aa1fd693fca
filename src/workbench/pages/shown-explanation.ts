import {
  type ApiKeyVerdict,
  isRightFinding,
  type SignatureExplanation,
  type SignatureFinding,
  type SignatureMistake,
} from '../../auth/index.js';
import type { KeptRefusal } from '../../request-log/index.js';
import { clockAtArrival, clockNow, sentence, shownRefusal, visible } from './shown-requests.js';

const PART_OF: Readonly<Record<SignatureMistake, string>> = {
  BODY_LEFT_OUT: 'the body',
  BODY_HASHED: 'the body',
  BODY_SERIALISED_AGAIN: 'the body',
  BODY_ENDS_OTHERWISE: 'the body',
  QUERY_LEFT_OUT: 'the path’s query',
  QUERY_CHANGED: 'the path’s query',
  HOST_SIGNED: 'the path',
  PATH_CHANGED: 'the path',
  OTHER_METHOD: 'the method',
  METHOD_LOWER_CASE: 'the method',
  SEPARATOR: 'how the parts are joined',
  PART_ORDER: 'how the parts are joined',
  TIMESTAMP_IN_MILLISECONDS: 'the timestamp',
  OTHER_TIMESTAMP: 'the timestamp',
  NONCE_CHANGED: 'the nonce',
  API_KEY_AS_SECRET: 'the secret',
  SECRET_CUT: 'the secret',
  SECRET_DECODED: 'the secret',
  SECRET_WITH_MORE: 'the secret',
  OTHER_SECRET: 'the secret',
  NO_HMAC: 'the algorithm',
  SIGNATURE_IN_BASE64: 'the encoding of the signature',
};

const PARTS = ['method', 'path', 'timestamp', 'nonce'] as const;

const TRY_API_KEY =
  'Fill in x-api-key and try again, to check also whether the key was used as the secret';

export interface Explained {
  readonly explanation: SignatureExplanation;
  /** Null when no API key was pasted. */
  readonly apiKey: ApiKeyVerdict | null;
  /** From the log, when the form was filled from there. */
  readonly arrived: KeptRefusal | null;
}

export function shownExplanation({ explanation, apiKey, arrived }: Explained) {
  const { finding, canonical, bodyBytes, bodySha256, secondsAhead, isInTime } = explanation;
  return {
    finding,
    title: titleOf(finding),
    isRight: isRightFinding(finding),
    says: sentence(saysOf(explanation, apiKey)),
    clock: arrived ? clockAtArrival(secondsAhead) : clockNow(secondsAhead),
    isInTime,
    apiKey: apiKey && { ...apiKey, says: sentence(apiKey.says) },
    canonical: visible(canonical),
    bodyBytes,
    bodySha256,
    ...(arrived && { arrived: comparison(explanation, arrived) }),
  };
}

function titleOf(finding: SignatureFinding): string {
  if (finding === 'UNKNOWN') return 'The signature is wrong';
  if (isRightFinding(finding)) return 'The signature is right';
  return `What differs: ${PART_OF[finding]}`;
}

/** The server keeps no key to try as the secret, so the visitor must paste it. */
function saysOf({ finding, says }: SignatureExplanation, apiKey: ApiKeyVerdict | null): string {
  return finding === 'UNKNOWN' && apiKey === null ? `${says}. ${TRY_API_KEY}` : says;
}

function comparison(
  { finding, canonical, bodySha256 }: SignatureExplanation,
  arrived: KeptRefusal,
) {
  const pastedParts = canonical.split('\n');
  const differing: string[] = arrived.canonical.split('\n').flatMap((part, place) => {
    const name = PARTS[place];
    return name === undefined || isMasked(part) || part === pastedParts[place] ? [] : [name];
  });
  if (arrived.bodySha256 !== bodySha256) differing.push('body');
  return {
    differing: differing.join(', '),
    found: arrived.finding === finding ? null : shownRefusal(arrived),
    bodyBytes: arrived.bodyBytes,
    bodySha256: arrived.bodySha256,
    bodyDiffers: arrived.bodySha256 !== bodySha256,
  };
}

/** The log masks parts of paths. */
function isMasked(part: string): boolean {
  return part.includes('…') || part.includes('/:');
}
