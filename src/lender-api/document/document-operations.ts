import type { z } from 'zod';
import { CALLBACKS, type CallbackName } from '../protocol/callbacks.js';
import { QUESTIONS, type PostedQuestionName, type QuestionName } from '../protocol/questions.js';
import { Pending, Receipt } from '../protocol/transport.js';
import { schemaOf } from './document-schemas.js';
import { type Examples, REQUEST_EXAMPLES } from './request-examples.js';
import { failureResponses, TAGS } from './shared-components.js';
import { CALLBACK_EXAMPLES, VERDICT_EXAMPLES } from './lender-examples.js';

const SIGNED = { 'x-jws-signature': { $ref: '#/components/headers/Signature' } };

const PENDING_EXAMPLES: Examples<z.infer<typeof Pending>> = {
  soon: { askAgainAfterSeconds: 5 },
  applicantIsOnThePage: { askAgainAfterSeconds: 30, waitingFor: 'APPLICANT' },
  mandateTakesHours: { askAgainAfterSeconds: 21_600, waitingFor: 'LENDER' },
};

export function questionOperation(name: QuestionName): object {
  const { summary, description, verdict } = QUESTIONS[name];
  const isPosted = name !== 'LOANS';
  const only = isPosted
    ? []
    : (['key_reused', 'body_too_large', 'unsupported_media_type'] as const);
  return {
    tags: [TAGS.LENDER.name],
    operationId: operationId('ask', name),
    summary,
    description,
    security: [{ DetachedJws: [] }],
    parameters: parameters(...(isPosted ? ['QuestionKey'] : ['LoanReference'])),
    ...(isPosted && { requestBody: questionBody(name) }),
    responses: {
      '200': answer('The verdict.', verdict, VERDICT_EXAMPLES[name]),
      '202': answer('Not known yet: the same question is put again.', Pending, PENDING_EXAMPLES),
      ...failureResponses(...only),
    },
  };
}

export function callbackOperation(name: CallbackName): object {
  const { summary, description, request } = CALLBACKS[name];
  const received = Object.values(CALLBACK_EXAMPLES[name]).map((value) => ({
    id: 'id' in value ? value.id : value.answer.answerId,
    status: 'RECEIVED' as const,
  }));
  return {
    tags: [TAGS.RINPATH.name],
    operationId: operationId('tell', name),
    summary,
    description,
    security: [{ DetachedJws: [] }],
    parameters: parameters('MessageKey', 'LenderCode'),
    requestBody: body(request, CALLBACK_EXAMPLES[name]),
    responses: {
      '202': answer('Kept: it will not be lost.', Receipt, { received: received[0] }),
      ...failureResponses(),
    },
  };
}

export function keysOperation(): object {
  const key = {
    kty: 'OKP',
    crv: 'Ed25519',
    use: 'sig',
    alg: 'EdDSA',
    kid: 'rinpath-2026-1',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  };
  return {
    tags: [TAGS.RINPATH.name],
    operationId: 'readKeys',
    summary: 'The keys that Rinpath signs with',
    description:
      'A JSON Web Key Set (RFC 7517), unsigned, over HTTPS. There are two keys while one takes the other’s place.',
    security: [],
    responses: {
      '200': {
        description: 'The public keys.',
        content: {
          'application/json': { schema: KEY_SET, examples: { one: { value: { keys: [key] } } } },
        },
      },
      ...failureResponses(
        'invalid_request',
        'version_not_supported',
        'signature_refused',
        'request_replayed',
        'key_reused',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  };
}

const KEY_SET = {
  type: 'object',
  required: ['keys'],
  properties: {
    keys: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['kty', 'crv', 'kid', 'alg', 'x'],
        properties: {
          kty: { type: 'string', enum: ['OKP', 'EC'] },
          crv: { type: 'string', enum: ['Ed25519', 'P-256'] },
          alg: { type: 'string', enum: ['EdDSA', 'ES256'] },
          use: { type: 'string', enum: ['sig'] },
          kid: { type: 'string' },
          x: { type: 'string' },
          y: { type: 'string', description: 'Of an EC key.' },
        },
      },
    },
  },
};

function questionBody(name: PostedQuestionName): object {
  return body(QUESTIONS[name].request, REQUEST_EXAMPLES[name]);
}

function body(schema: z.ZodType, examples: Examples<unknown>): object {
  return { required: true, ...content(schema, examples) };
}

function answer(description: string, schema: z.ZodType, examples: Examples<unknown>): object {
  return { description, headers: SIGNED, ...content(schema, examples) };
}

function content(schema: z.ZodType, examples: Examples<unknown>): object {
  const shown = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    content: {
      'application/json': { schema: schemaOf(schema), examples: Object.fromEntries(shown) },
    },
  };
}

function parameters(...names: string[]): object[] {
  return [...names, 'Version', 'TraceParent', 'Signature'].map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
}

/** `COOLING_OFF_EXITS` as `askCoolingOffExits`. */
function operationId(verb: string, name: string): string {
  const words = name.toLowerCase().split('_');
  return verb + words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
}
