import {
  type ApiKeyVerdict,
  secondsInWords,
  type SignatureExplanation,
  type SignatureFinding,
  type SignatureMistake,
} from '../../auth/index.js';
import type { KeptRefusal } from '../../request-log/index.js';
import { sentence, visible } from './shown-requests.js';

/** What of the call is otherwise than the server has it. */
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
  SEPARATOR: 'how the parts are put together',
  PART_ORDER: 'how the parts are put together',
  TIMESTAMP_IN_MILLISECONDS: 'the timestamp',
  OTHER_TIMESTAMP: 'the timestamp',
  NONCE_CHANGED: 'the nonce',
  API_KEY_AS_SECRET: 'the secret',
  SECRET_CUT: 'the secret',
  SECRET_DECODED: 'the secret',
  SECRET_WITH_MORE: 'the secret',
  OTHER_SECRET: 'the secret',
  NO_HMAC: 'how the signature is made',
  SIGNATURE_IN_BASE64: 'how the signature is written',
};

const PARTS = ['method', 'path', 'timestamp', 'nonce'] as const;
const TOLERANCE = 'the 300 seconds that are allowed';

/** What the debugger found out. */
export interface Explained {
  readonly explanation: SignatureExplanation;
  /** Of the API key that was pasted; null when none was. */
  readonly apiKey: ApiKeyVerdict | null;
  /** What the log kept of the same call, when it was filled from there. */
  readonly arrived: KeptRefusal | null;
}

/** What the debugger says. */
export function shownExplanation({ explanation, apiKey, arrived }: Explained) {
  const { finding, says, canonical, bodyBytes, bodySha256 } = explanation;
  return {
    finding,
    title: titleOf(finding),
    isRight: isRight(finding),
    says: sentence(says),
    clock: clockOf(explanation),
    isInTime: explanation.isInTime,
    apiKey: apiKey && { ...apiKey, says: sentence(apiKey.says) },
    canonical: visible(canonical),
    bodyBytes,
    bodySha256,
    ...(arrived && { arrived: comparison(explanation, arrived) }),
  };
}

function isRight(finding: SignatureFinding): boolean {
  return finding === 'RIGHT' || finding === 'RIGHT_WITHOUT_QUERY';
}

function titleOf(finding: SignatureFinding): string {
  if (finding === 'UNKNOWN') return 'The signature is wrong';
  return finding === 'RIGHT' || finding === 'RIGHT_WITHOUT_QUERY'
    ? 'The signature is right'
    : `What differs: ${PART_OF[finding]}`;
}

function clockOf({ secondsAhead, isInTime }: SignatureExplanation): string {
  const amount = secondsInWords(Math.abs(secondsAhead));
  const side = secondsAhead > 0 ? 'ahead of' : 'behind';
  const is =
    secondsAhead === 0
      ? 'The timestamp is the server’s time'
      : `The timestamp is ${amount} ${side} the server’s time now`;
  return isInTime
    ? `${is}, within ${TOLERANCE}.`
    : `${is}, more than ${TOLERANCE}: a call that is sent now with it is refused, however it is signed.`;
}

/** Which parts that were pasted are not those that arrived. */
function comparison({ canonical, bodySha256 }: SignatureExplanation, arrived: KeptRefusal) {
  const pastedParts = canonical.split('\n');
  const differing: string[] = arrived.canonical.split('\n').flatMap((part, place) => {
    const name = PARTS[place];
    return name === undefined || isMasked(part) || part === pastedParts[place] ? [] : [name];
  });
  if (arrived.bodySha256 !== bodySha256) differing.push('body');
  return {
    differing: differing.join(', '),
    bodyBytes: arrived.bodyBytes,
    bodySha256: arrived.bodySha256,
    bodyDiffers: arrived.bodySha256 !== bodySha256,
  };
}

/** Whether the log keeps less of a path than arrived. */
function isMasked(part: string): boolean {
  return part.includes('…') || part.includes('/:');
}
