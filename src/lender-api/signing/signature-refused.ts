/** Why a signature was not taken. */
export type SignatureProblem =
  /** There is no `x-jws-signature`. */
  | 'MISSING'
  /** It is no detached JWS, or its protected header is not as the protocol says. */
  | 'MALFORMED'
  /** It names a key that the other side does not have. */
  | 'UNKNOWN_KEY'
  /** It names another algorithm than the key is for. */
  | 'WRONG_ALGORITHM'
  /** It does not belong to this body under this key. */
  | 'DOES_NOT_MATCH'
  /** It was made too long ago, or its maker's clock is ahead. */
  | 'NOT_NOW'
  /** It was made for another address, method, status or request. */
  | 'OTHER_ADDRESS'
  | 'OTHER_METHOD'
  | 'OTHER_STATUS'
  | 'OTHER_REQUEST'
  /** It is an answer's, and names no request. */
  | 'NO_REQUEST'
  /** It is of another Key Facts Statement than the one that was chosen. */
  | 'OTHER_STATEMENT';

const MESSAGES: Record<SignatureProblem, string> = {
  MISSING: 'x-jws-signature is missing',
  MALFORMED: 'x-jws-signature is no detached JWS with the protected header of RLP/1',
  UNKNOWN_KEY: 'the signature names a key that is not known',
  WRONG_ALGORITHM: 'the signature names another algorithm than its key is for',
  DOES_NOT_MATCH: 'the signature does not belong to this body',
  NOT_NOW: 'iat of the signature is too far from the time here',
  OTHER_ADDRESS: 'htu of the signature is another address',
  OTHER_METHOD: 'htm of the signature is another method',
  OTHER_STATUS: 'status of the signature is another status',
  OTHER_REQUEST: 'req of the signature is another request',
  NO_REQUEST: 'the signature names no request',
  OTHER_STATEMENT: 'the signature is of another Key Facts Statement',
};

/** A message that is not rightly signed; the text holds nothing of the message. */
export class SignatureRefused extends Error {
  constructor(
    readonly problem: SignatureProblem,
    options?: ErrorOptions,
  ) {
    super(MESSAGES[problem], options);
    this.name = 'SignatureRefused';
  }
}
