import { CALLBACKS, type CallbackName } from '../protocol/callbacks.js';
import { QUESTIONS, type QuestionName } from '../protocol/questions.js';
import { PROTOCOL } from '../protocol/transport.js';
import { callbackOperation, keysOperation, questionOperation } from './document-operations.js';
import { documentSchemas } from './document-schemas.js';
import {
  ANSWER_HEADERS,
  FAILURES,
  PARAMETERS,
  SECURITY_SCHEMES,
  TAGS,
} from './shared-components.js';

const DOCUMENT_DESCRIPTION = `How a lender outside this service is asked, and answers. The guide from nothing to a passing gateway is
\`docs/lenders/README.md\`.

**The one rule.** Every call is an idempotent question. \`200\` is a verdict, \`202\` means "not known yet", everything
else (another status, a time-out, a body or a signature that does not hold) is unknown: the same question is put again
under the same key. A verdict that was given once is given again for the same key.

**Transport.** HTTPS; JSON in UTF-8, at most 256 KB; 10 seconds a call, body included. Amounts are integer paise,
rates and percentages decimal text, moments ISO 8601 with seconds and offset, days \`YYYY-MM-DD\`. A field that is not
known is left out, never null. Unknown fields are ignored.

**Signatures.** Requests and answers of both sides carry \`x-jws-signature\`: a detached JWS with an unencoded payload
(RFC 7515, RFC 7797) over the exact bytes of the body, EdDSA (Ed25519) or ES256. Its protected header has \`alg\`,
\`kid\`, \`b64: false\`, \`crit: ["b64"]\`, \`iat\` (Unix seconds, at most 300 off) and \`jti\`; for a request \`htm\`
and \`htu\` (method and whole address), for an answer \`htu\`, \`status\` and \`req\` (the \`jti\` of the request).`;

interface Owner {
  readonly displayName: string;
  readonly support: { readonly email: string };
}

const LENDER_SERVER = {
  url: 'https://gateway.lender.example/rlp',
  description: 'The lender’s base address, as the configuration names it.',
};

/**
 * OpenAPI 3.1, for both directions.
 * @param baseUrl without a slash at its end
 */
export function lenderDocument({ displayName, support }: Owner, baseUrl: string) {
  const servers = [{ url: baseUrl, description: 'This service.' }];
  return {
    openapi: '3.1.0',
    info: {
      title: `${displayName} lender protocol (RLP/1)`,
      version: '1.0.0',
      description: DOCUMENT_DESCRIPTION,
      contact: { name: `${displayName} support`, email: support.email },
      license: { name: `Terms of use of ${displayName}`, identifier: 'LicenseRef-Proprietary' },
    },
    servers: [LENDER_SERVER],
    tags: Object.values(TAGS),
    paths: {
      ...Object.fromEntries(namesOf(QUESTIONS).map(questionPath)),
      ...Object.fromEntries(
        namesOf(CALLBACKS).map((name) => [
          `${PROTOCOL.callbacksPath}/{lenderCode}${CALLBACKS[name].path}`,
          { servers, post: callbackOperation(name) },
        ]),
      ),
      [PROTOCOL.keysPath]: { servers, get: keysOperation() },
    },
    components: {
      schemas: documentSchemas(),
      parameters: PARAMETERS,
      headers: ANSWER_HEADERS,
      responses: FAILURES,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function questionPath(name: QuestionName): [string, object] {
  const { path, method } = QUESTIONS[name];
  return [path, { [method.toLowerCase()]: questionOperation(name) }];
}

function namesOf<Name extends QuestionName | CallbackName>(table: Record<Name, unknown>): Name[] {
  return Object.keys(table) as Name[];
}
