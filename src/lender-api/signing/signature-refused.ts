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

/** The text holds nothing of the message. */
export class SignatureRefused extends Error {
  constructor(
    readonly problem: SignatureProblem,
    options?: ErrorOptions,
  ) {
    super(MESSAGES[problem], options);
    this.name = 'SignatureRefused';
  }
}
