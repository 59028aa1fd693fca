import { readFileSync } from 'node:fs';
import { flattenedVerify, importJWK, type JWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { AnswerSignature, RequestSignature } from '../../../src/lender-api/index.js';
import { projectPath } from '../../../src/platform/index.js';

interface Vector {
  readonly name: string;
  readonly key: string;
  readonly body: string;
  readonly protectedHeader: { readonly htm?: string };
  readonly signature: string;
}

const read = (path: string) => readFileSync(projectPath(path), 'utf8');
const { keys, vectors } = JSON.parse(read('docs/lenders/signing-vectors.json')) as {
  keys: Record<string, JWK>;
  vectors: Vector[];
};

async function verify({ key, signature }: Vector, body: string): Promise<unknown> {
  const [header, payload, value] = signature.split('.');
  expect(payload).toBe('');
  const { d: _, ...publicKey } = keys[key];
  const { protectedHeader } = await flattenedVerify(
    { protected: header, payload: body, signature: value },
    await importJWK(publicKey),
  );
  return protectedHeader;
}

describe('docs/lenders/signing-vectors.json', () => {
  it.each(vectors)('holds a signature of these bytes only: $name', async (vector) => {
    const header = await verify(vector, vector.body);
    expect(header).toEqual(vector.protectedHeader);
    const schema = vector.protectedHeader.htm ? RequestSignature : AnswerSignature;
    expect(schema.parse(header)).toEqual(header);
    await expect(verify(vector, `${vector.body} `)).rejects.toThrow('signature');
  });
});

describe('docs/lenders/README.md', () => {
  it('shows the first question and its answer as they are in the vectors', () => {
    const guide = read('docs/lenders/README.md').replaceAll(/\s/g, '');
    const { d: _, ...publicKey } = keys['rinpath'];
    const shown = vectors
      .slice(0, 2)
      .flatMap(({ body, signature, protectedHeader }) => [
        body,
        signature,
        JSON.stringify(protectedHeader),
      ]);
    const missing = [...shown, JSON.stringify(publicKey)].filter(
      (text) => !guide.includes(text.replaceAll(/\s/g, '')),
    );
    expect(missing).toEqual([]);
  });
});
