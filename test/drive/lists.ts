import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { built } from '../../bench/support/built-service.ts';
import type { PageDecision } from '../../src/sandbox/reserved-pans.ts';

const CONFIGURATION = fileURLToPath(new URL('../../config/sandbox.yaml', import.meta.url));

const { products } = parse(readFileSync(CONFIGURATION, 'utf8')) as {
  products: { code: string; steps: string[] }[];
};
const sandbox = await built<typeof import('../../src/sandbox/reserved-pans.ts')>(
  'src/sandbox/reserved-pans.js',
);
const steps = await built<typeof import('../../src/journey-steps/index.ts')>(
  'src/journey-steps/index.js',
);

export const RESERVED_PANS = sandbox.RESERVED_PANS;
export const JOURNEY_PANS = RESERVED_PANS.filter(({ starts }) => starts === 'JOURNEY');
export const JOURNEY_PRODUCTS = products
  .filter((product) => product.steps.length > 0)
  .map(({ code }) => code);
export const REDIRECT_STEPS = steps.REDIRECT_STEPS;
export const DECISIONS = ['approve', 'decline', 'leave'] as const satisfies readonly PageDecision[];
