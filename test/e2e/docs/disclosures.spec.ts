import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { projectPath } from '../../../src/platform/index.js';
import { tableRows } from '../../support/cited-tests.js';
import {
  HostedClient,
  type HostedPage,
  plain,
  signedIn,
  startHosted,
} from '../../support/hosted-client.js';
import { layersOf, type PageLayers } from '../../support/page-layers.js';
import type { LoanRequestOptions } from '../../support/loan-requests.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';
import { InstantLoanBench } from '../instant-loans/instant-loan-bench.js';
import { ofFile } from '../../support/of-file.js';

vi.setConfig({ hookTimeout: 2 * TEST_MS });

const GOLD = { productCode: 'ONLINE_GOLD' };

const rowsOf = (page: string) => tableRows(readFileSync(projectPath(`docs/${page}.md`), 'utf8'));
const bare = (cell: string) => cell.replaceAll('`', '');
/** The rows of five cells: id, what is displayed, page, layer, text. */
const ROWS = rowsOf('generated/disclosures').filter(({ length }) => length === 5);
const RULES = new Set(rowsOf('generated/regulation').map(([id]) => id));

const bench = ofFile(() => InstantLoanBench.open());
/** By page; a page with a statement includes its text. */
const layers: Record<string, PageLayers & { statement?: string }> = {};

function note(name: string, { status, text }: HostedPage): void {
  expect([name, status]).toEqual([name, 200]);
  layers[name] = layersOf(text);
}

async function noteOffers(): Promise<StepJourney> {
  const journey = await StepJourney.at('OFFERS_RECEIVED', bench.service);
  const { client } = journey;
  note('offers', await client.open('/hosted'));
  const confirm = await confirmationOf(journey);
  note('confirm', confirm);
  const [, href] = /href="([^"]*\/key-facts\/[^"]*?)(?:\.pdf)?"/.exec(confirm.text)!;
  layers.confirm.statement = plain((await client.open(plain(href))).text);
  note('stop', await client.open('/hosted/stop'));
  note('data', await client.open('/hosted/data'));
  return journey;
}

/** Of the first offer. */
async function confirmationOf(journey: StepJourney): Promise<HostedPage> {
  const [{ offerId, amount }] = (await journey.view()).offers;
  return journey.client.open(`/hosted/offers/${offerId}/confirm?amount=${amount / 100}`);
}

async function noteSteps(journey: StepJourney): Promise<void> {
  for (const [name, state] of [
    ['kyc', 'KYC_PENDING'],
    ['mandate', 'MANDATE_PENDING'],
    ['done', 'SANCTIONED'],
  ]) {
    await journey.driveTo(state);
    note(name, await journey.client.open('/hosted'));
  }
}

async function noteEntry(check: string, options: LoanRequestOptions): Promise<void> {
  const client = await signedIn(bench.service, await startHosted(bench.service, options));
  note('consent', client.page!);
  note(check, await client.send303({ agree: '1' }));
}

beforeAll(async () => {
  const { service } = bench;
  await noteSteps(await noteOffers());
  await noteEntry('gold-check', GOLD);
  await noteEntry('check', {});
  const gold = await StepJourney.at('OFFERS_RECEIVED', service, GOLD);
  note('gold-offers', await gold.client.open('/hosted'));
  note('gold-confirm', await confirmationOf(gold));
  const one = await StepJourney.at('OFFERS_RECEIVED', service, { pan: 'SANDX0003A' });
  note('offers-without', await one.client.open('/hosted'));
  const applicant = new HostedClient(service.baseUrl);
  const pathOf = ({ redirectUrl }: { redirectUrl: string }) => new URL(redirectUrl).pathname;
  note('instant-choose', await applicant.open(pathOf(await bench.offered())));
  note('instant-pay', await applicant.open(pathOf(await bench.apply())));
});

describe('docs/generated/disclosures.md', () => {
  it('cites rules of docs/generated/regulation.md, and every page that is opened', () => {
    expect(ROWS.length).toBeGreaterThan(45);
    expect(ROWS.map(([id]) => id).filter((id) => !RULES.has(id))).toEqual([]);
    const named = new Set(ROWS.map(([, , page]) => bare(page)));
    expect([...named].toSorted()).toEqual(Object.keys(layers).toSorted());
  });

  it.each(ROWS)('%s: %s, on %s, %s', (_, __, page, layer, text) => {
    const read = layers[bare(page)][bare(layer) as keyof PageLayers | 'statement'];
    expect(read).toContain(bare(text));
  });
});
