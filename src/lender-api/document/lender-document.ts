import type { OpenAPIObject } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  type DocumentOwner,
  headersNamed,
  type Operation,
  openApiDocument,
  operation,
  sharedFailures,
} from '../../platform/index.js';
import { KeySet } from '../protocol-keys.js';
import { type Callback, CALLBACKS } from '../protocol/callbacks.js';
import { type Question, QUESTIONS } from '../protocol/questions.js';
import { Pending, PROTOCOL, type ProtocolErrorCode, Receipt } from '../protocol/transport.js';
import { DocumentMessages } from './document-messages.js';
import {
  ANSWER_HEADERS,
  FAILURES,
  PARAMETERS,
  SECURITY_SCHEMES,
  TAGS,
} from './shared-components.js';

type SchemaComponents = NonNullable<OpenAPIObject['components']>['schemas'];

const SIGNATURE = PROTOCOL.headers.signature;

const BODY_ERRORS: ReadonlySet<ProtocolErrorCode> = new Set([
  'key_reused',
  'body_too_large',
  'unsupported_media_type',
]);

const DOCUMENT_DESCRIPTION = `How this service asks a remote lender, and how the lender answers. The guide to a working gateway is
\`docs/lenders/README.md\`.

**The one rule.** Every call is an idempotent question. \`200\` is a verdict, \`202\` means "not known yet", everything
else (another status, a time-out, an invalid body or signature) is unknown: the same question is asked again
under the same key. The same key always gets the same verdict.

**Transport.** HTTPS; JSON in UTF-8, at most 256 KB; 10 seconds a call, body included. Amounts are integer paise,
rates and percentages decimal text, times ISO 8601 with seconds and offset, days \`YYYY-MM-DD\`. An unknown field value is
left out, never null. Unknown fields are ignored.

**Signatures.** Requests and answers of both sides carry \`x-jws-signature\`: a detached JWS with an unencoded payload
(RFC 7515, RFC 7797) over the exact bytes of the body, EdDSA (Ed25519) or ES256. Its protected header has \`alg\`,
\`kid\`, \`b64: false\`, \`crit: ["b64"]\`, \`iat\` (Unix seconds, at most 300 off) and \`jti\`; for a request \`htm\`
and \`htu\` (method and whole URL), for an answer \`htu\`, \`status\` and \`req\` (the \`jti\` of the request).`;

const LENDER_SERVER = {
  url: 'https://gateway.lender.example/rlp',
  description: 'The lender’s base URL from the configuration.',
};

export function lenderDocument(owner: DocumentOwner, baseUrl: string): OpenAPIObject {
  const servers = [{ url: baseUrl, description: 'This service.' }];
  const messages = new DocumentMessages();
  const questions = Object.entries<Question>(QUESTIONS).map(([name, call]) => {
    const post = signedOperation(messages, operationId('ask', name), TAGS.LENDER.name, call, {
      parameters: [call.request ? 'QuestionKey' : 'LoanReference'],
      answers: [
        ['200', 'The verdict.', call.verdict],
        ['202', 'Not known yet: the same question is asked again.', Pending],
      ],
    });
    return [call.path, { [call.method.toLowerCase()]: post }] as const;
  });
  const callbacks = Object.entries<Callback>(CALLBACKS).map(([name, call]) => {
    const post = signedOperation(messages, operationId('tell', name), TAGS.RINPATH.name, call, {
      parameters: ['MessageKey', 'LenderCode'],
      answers: [['202', 'Received and stored.', Receipt]],
    });
    return [`${PROTOCOL.callbacksPath}/{lenderCode}${call.path}`, { servers, post }] as const;
  });
  return openApiDocument({
    owner,
    title: 'lender protocol (RLP/1)',
    description: DOCUMENT_DESCRIPTION,
    servers: [LENDER_SERVER],
    tags: Object.values(TAGS),
    paths: {
      ...Object.fromEntries([...questions, ...callbacks]),
      [PROTOCOL.keysPath]: { servers, get: keysOperation(messages) },
    },
    components: {
      schemas: messages.named as SchemaComponents,
      parameters: PARAMETERS,
      headers: ANSWER_HEADERS,
      responses: sharedFailures(FAILURES),
      securitySchemes: SECURITY_SCHEMES,
    },
  });
}

interface SignedParts {
  readonly parameters: readonly (keyof typeof PARAMETERS)[];
  readonly answers: readonly (readonly [status: string, description: string, z.ZodType])[];
}

function signedOperation(
  messages: DocumentMessages,
  id: string,
  tag: string,
  { summary, description, request }: Question | Callback,
  { parameters, answers }: SignedParts,
) {
  const responses = answers.map(([status, about, message]) => [
    status,
    { description: about, headers: headersNamed([SIGNATURE]), ...messages.content(message) },
  ]);
  return operation(FAILURES, {
    tag,
    operationId: id,
    summary,
    description,
    security: [{ DetachedJws: [] }],
    parameters: [...parameters, 'Version', 'TraceParent', 'Signature'],
    ...(request && { requestBody: { required: true, ...messages.content(request) } }),
    responses: Object.fromEntries(responses) as Operation['responses'],
    failures: FAILURES.shared.filter((code) => request || !BODY_ERRORS.has(code)),
  });
}

function keysOperation(messages: DocumentMessages) {
  return operation(FAILURES, {
    tag: TAGS.RINPATH.name,
    operationId: 'readKeys',
    summary: 'The keys that Rinpath signs with',
    description:
      'A JSON Web Key Set (RFC 7517), unsigned, over HTTPS. During a key rotation there are two keys.',
    security: [],
    parameters: [],
    responses: { '200': { description: 'The public keys.', ...messages.content(KeySet) } },
    failures: ['not_found', 'too_many_requests', 'internal_error', 'unavailable'],
  });
}

/** `COOLING_OFF_EXITS` becomes `askCoolingOffExits`. */
function operationId(verb: string, name: string): string {
  const words = name.toLowerCase().split('_');
  return verb + words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
}
