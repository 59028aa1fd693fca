import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { lenderDocument, QUESTIONS } from '../../../src/lender-api/index.js';
import { projectPath } from '../../../src/platform/index.js';
import type { Node } from '../../support/contract.js';
import { lintDocument, NOTHING_TO_SAY } from '../../support/lint-document.js';

const BRAND = { displayName: 'Rinpath', support: { email: 'support@rinpath.example' } };
const document = lenderDocument(BRAND, 'http://127.0.0.1:3000');
const root = JSON.parse(JSON.stringify(document)) as Node;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(root, 'openapi');

interface Media {
  readonly at: string;
  readonly examples: Record<string, { value: object }>;
}

/** Every body in the document, with its schema's path and its examples. */
function bodies(node: unknown = root, at: readonly string[] = []): Media[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => {
    const here = [...at, name];
    if (name !== 'application/json') return bodies(value, here);
    const { examples } = value as { examples: Media['examples'] };
    return [{ at: [...here, 'schema'].map(escaped).join('/'), examples }];
  });
}

const escaped = (name: string) =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

const isValid = (at: string, value: unknown) => ajv.validate({ $ref: `openapi#/${at}` }, value);

describe('the document of the lender protocol', () => {
  it('shows of every body at least one example, as its schema says', () => {
    const found = bodies();
    expect(found.length).toBeGreaterThan(30);
    for (const { at, examples } of found) {
      expect([at, Object.keys(examples ?? {}).length > 0]).toEqual([at, true]);
      for (const [name, { value }] of Object.entries(examples)) {
        expect([at, name, isValid(at, value)]).toEqual([at, name, true]);
      }
    }
  });

  it('demands what the code demands: no example is valid without a field that it has to have', () => {
    const differing = Object.entries(QUESTIONS).flatMap(([name, { path, method, verdict }]) => {
      const response = ['paths', path, method.toLowerCase(), 'responses', '200'];
      const at = [...response, 'content', 'application/json', 'schema'].map(escaped).join('/');
      const media = bodies().find((one) => one.at === at)!;
      return Object.values(media.examples).flatMap(({ value }) =>
        Object.keys(value).flatMap((field) => {
          const { [field]: _, ...without } = value as Record<string, unknown>;
          const isAccepted = verdict.safeParse(without).success;
          return isValid(at, without) === isAccepted ? [] : [`${name} without ${field}`];
        }),
      );
    });
    expect(differing).toEqual([]);
  });

  it('is in docs; `npm run openapi` writes it', () => {
    const file = readFileSync(projectPath('docs/lenders/openapi.json'), 'utf8');
    expect(JSON.parse(file)).toEqual(root);
  });

  it('passes the linter', () => {
    expect(lintDocument(root)).toEqual(NOTHING_TO_SAY);
  });
});
