import { CALLBACKS, type CallbackName } from '../protocol/callbacks.js';
import { QUESTIONS, type QuestionName } from '../protocol/questions.js';
import { PROTOCOL } from '../protocol/transport.js';
import { callbackOperation, keysOperation, questionOperation } from './document-operations.js';
import { documentSchemas } from './document-schemas.js';
import { DOCUMENT_DESCRIPTION, TAGS } from './document-text.js';
import { ANSWER_HEADERS, FAILURES, PARAMETERS, SECURITY_SCHEMES } from './shared-components.js';

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
