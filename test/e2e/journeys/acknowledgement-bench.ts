import { beforeEach, expect, vi } from 'vitest';
import type { SessionRequest } from '../../../src/lenders/index.js';
import { Database, translate } from '../../../src/platform/index.js';
import { HostedClient, type HostedPage } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { journeyBench, type TestJourney } from './journey-bench.js';

export const TITLE = translate('en', 'offers.confirm');
export const HASH = /name="keyFactsHash" value="([0-9a-f]{64})"/;

/** The record of a statement that was shown and not acknowledged. */
export const SHOWN = { hash: null, at: null, language: null, by: null, audits: 0 };

type Language = 'en' | 'hi';

/** The status of the chosen offer's statement, and its record. */
interface Standing {
  contentHash: string;
  hash: string | null;
  at: Date | null;
  language: string | null;
  by: string | null;
  audits: number;
}

export async function standingOf(service: TestService, journeyId: string): Promise<Standing> {
  const [row] = await service.get<Database>(Database).query<Standing & Record<string, unknown>>(
    `SELECT content_hash AS "contentHash", acknowledged_hash AS hash, acknowledged_at AS at,
       acknowledged_language AS language, acknowledged_by AS by,
       (SELECT count(*)::int FROM journey_audit
        WHERE journey_id = $1 AND trigger = 'KEY_FACTS_ACKNOWLEDGED') AS audits
     FROM key_facts_statements WHERE journey_id = $1`,
    [journeyId],
  );
  return row;
}

export async function linkOf(journey: TestJourney): Promise<string> {
  return new URL(await journey.redirectUrl()).pathname;
}

export function expectProvider(page: HostedPage): void {
  expect([page.status, page.location]).toEqual([
    303,
    expect.stringMatching(/^\/sandbox\/provider\//),
  ]);
}

/** Headless journeys at their first link, and browsers that open it. */
export function acknowledgementBench() {
  const journeys = journeyBench({ isOneLender: true });
  /** The sessions requested from the lender in this test. */
  const opened: SessionRequest[] = [];
  beforeEach(() => {
    opened.length = 0;
    const { lender } = journeys;
    const open = lender.openSession.bind(lender);
    vi.spyOn(lender, 'openSession').mockImplementation((request) => {
      opened.push(request);
      return open(request);
    });
  });
  const browser = (language: Language = 'en') =>
    new HostedClient(journeys.service.baseUrl, { language });
  return {
    journeys,
    opened,
    browser,
    standingOf: ({ id }: { id: string }) => standingOf(journeys.service, id),
    /** A headless journey with a chosen offer, and the path of its first link. */
    async chosen() {
      const journey = await journeys.startWithOffers();
      await journey.select({ loanAmount: 150_000 });
      return { journey, path: await linkOf(journey) };
    },
    /** Approves on the provider's page to which this page redirects. */
    async approve(page: HostedPage) {
      expectProvider(page);
      const url = journeys.service.baseUrl + page.location;
      await journeys.browse(url, { decision: 'approve' });
    },
    /** A browser that has opened the statement. */
    async reading(path: string, language?: Language) {
      const client = browser(language);
      const { text } = await client.get(path);
      expect(text).toMatch(HASH);
      return client;
    },
  };
}
