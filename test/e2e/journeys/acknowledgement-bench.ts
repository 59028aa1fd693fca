import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { SessionRequest } from '../../../src/lenders/index.js';
import { Database, translate } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { HostedClient, type HostedPage } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { JourneyBench, type TestJourney } from './journey-bench.js';

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

interface Chosen {
  journey: TestJourney;
  /** The path of the journey's redirect link. */
  path: string;
}

/** Headless journeys at their first link, and browsers that open it. */
export class AcknowledgementBench {
  /** The sessions that the lender was asked to open since the last `watch`. */
  opened: SessionRequest[] = [];

  private constructor(readonly journeys: JourneyBench) {}

  static async open(): Promise<AcknowledgementBench> {
    const journeys = await JourneyBench.open();
    await journeys.keepOneLender();
    return new AcknowledgementBench(journeys);
  }

  get service(): JourneyBench['service'] {
    return this.journeys.service;
  }

  /** Records the sessions that are opened from now on. */
  watch(): void {
    this.opened = [];
    const lender = this.service.get(SandboxLender);
    const open = lender.openSession.bind(lender);
    vi.spyOn(lender, 'openSession').mockImplementation((request) => {
      this.opened.push(request);
      return open(request);
    });
  }

  standingOf({ id }: { id: string }): Promise<Standing> {
    return standingOf(this.service, id);
  }

  /** A headless journey with a chosen offer, whose applicant opens the first link. */
  async chosen(): Promise<Chosen> {
    const journey = await this.journeys.startWithOffers();
    await journey.select({ loanAmount: 150_000 });
    return { journey, path: await linkOf(journey) };
  }

  browser(language: Language = 'en'): HostedClient {
    return new HostedClient(this.service.baseUrl, { language });
  }

  /** A browser that has the page open. */
  async reading(path: string, language: Language = 'en'): Promise<HostedClient> {
    const client = this.browser(language);
    const page = await client.get(path);
    if (page.status !== 200 || !HASH.test(page.text)) {
      throw new Error(`no statement is shown: ${page.status} ${page.heading}`);
    }
    return client;
  }

  close(): Promise<void> {
    return this.journeys.close();
  }
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

/** The bench of a spec file: it watches each test, and restores the mocks after it. */
export function acknowledgementBench(): AcknowledgementBench {
  const bench = Object.create(AcknowledgementBench.prototype) as AcknowledgementBench;
  beforeAll(async () => void Object.assign(bench, await AcknowledgementBench.open()));
  beforeEach(() => bench.watch());
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => bench.close());
  return bench;
}
