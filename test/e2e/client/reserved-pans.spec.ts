import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SANDBOX_PANS } from '../../../clients/node/src/testing.js';
import { projectPath } from '../../../src/platform/index.js';
import { RESERVED_PANS } from '../../../src/sandbox/reserved-pans.js';

it('is the list that docs/partners/testing.md shows', () => {
  const rows = readFileSync(projectPath('docs/partners/testing.md'), 'utf8').matchAll(
    /^\| `(SANDX\d{4}A)` \| (.+?) +\|/gm,
  );
  const shown = [...rows].map(([, pan, happens]) => ({ pan, happens }));
  expect(shown).toEqual(RESERVED_PANS.map(({ pan, happens }) => ({ pan, happens })));
});

it('is the list that the client has', () => {
  expect(Object.values(SANDBOX_PANS)).toEqual(RESERVED_PANS.map(({ pan }) => pan));
});
