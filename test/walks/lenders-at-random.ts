import { mkdtempSync, readFileSync, rmSync, writeFileSync, cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import type { SeededRandom } from '../faults/seeded-random.ts';
import { ReferenceLenders, remoteSection, shippedTerms } from '../support/reference-lenders.ts';

const CONFIG = fileURLToPath(new URL('../../config', import.meta.url));

const LATE_S = 1;

const KEEPS_FEES = 'kaverisetu';

/**
 * Rinpath's configuration with every lender and the payment gateway outside the process; `remove` it when all is over.
 */
export function remoteConfiguration(
  lenderPort: number,
  razorpay: object,
): { file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'rinpath-walks-'));
  cpSync(CONFIG, folder, { recursive: true });
  const file = join(folder, 'sandbox.yaml');
  const shipped = parse(readFileSync(file, 'utf8')) as { lenders: { code: string }[] };
  const lenders = shipped.lenders.map((lender) => ({
    ...lender,
    adapter: 'rlp',
    kind: 'NBFC',
    remote: remoteSection(lenderPort, lender.code),
    ...(lender.code === KEEPS_FEES && { feeOnDecline: 'KEPT' }),
  }));
  const payment = { gateway: 'razorpay', razorpay };
  writeFileSync(file, stringify({ ...shipped, lenders, payment }));
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The reference lenders. */
export async function lendersAtRandom(
  random: SeededRandom,
  {
    faults,
    ...where
  }: { readonly rinpathUrl: string; readonly port: number; readonly faults: number | null },
): Promise<ReferenceLenders> {
  const lenders = await ReferenceLenders.start({
    ...where,
    lenders: shippedTerms(),
    world: { chance: () => random.fraction() },
  });
  await lenders.order('*', '*', 'varied', { times: faults, seconds: LATE_S });
  return lenders;
}
