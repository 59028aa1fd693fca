import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CONSENT_VERSION } from '../../../src/consents/consent-texts.js';
import { HostedUpkeepTasks } from '../../../src/journeys/background/journey.tasks.js';
import { HostedJourneys } from '../../../src/journeys/index.js';
import { Keyring, translate } from '../../../src/platform/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { eventually } from '../../support/eventually.js';
import {
  confirmed,
  HostedClient,
  type HostedPage,
  type HostedStart,
  plain,
  signedIn,
  startHosted,
} from '../../support/hosted-client.js';
import { JourneyRecords } from '../../support/journey-records.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { LenderCatalogue } from '../../../src/settings/index.js';

const DAY = 86_400_000;

let service: TestService;
let records: JourneyRecords;
let hosted: HostedJourneys;

beforeAll(async () => {
  service = await sharedService();
  records = new JourneyRecords(service.databaseUrl);
  hosted = service.get(HostedJourneys);
});

afterAll(() => records.close());

interface ConsentRecord {
  text_version: string;
  language: string;
  shown_text: string;
  text_hash: string;
  client_address_sealed: string | null;
  given_at: Date;
}

async function consentOf(id: string): Promise<ConsentRecord | undefined> {
  const [row] = await records.query<ConsentRecord>('SELECT * FROM consents WHERE journey_id = $1', [
    id,
  ]);
  return row;
}

const keyOf = ({ id }: HostedStart) => ({ partnerId: service.partnerId, journeyId: id });

/** The consent text on its page: part names with their gist, points, notes, and the label of the first box. */
function linesOf({ text }: HostedPage): string[] {
  const [, asked = ''] = /<p class="lead">.*?<\/p>(.*?)<form/s.exec(text)!;
  const lines = [...asked.matchAll(/<(summary|li|p)>(.*?)<\/\1>/gs)].map(([, , line]) =>
    plain(line.replace('</span> <span class="fold-short">', ': ')),
  );
  return [...lines, plain(/id="agree"[^>]*><span>(.*?)<\/span>/s.exec(text)![1])];
}

/** A confirmed journey with offers. */
async function withOffers(): Promise<{ start: HostedStart; client: HostedClient }> {
  const start = await startHosted(service);
  const client = await confirmed(service, start);
  await eventually(async () => expect(await records.state(start.id)).toBe('OFFERS_RECEIVED'), {
    withinMs: 30_000,
  });
  return { start, client };
}

describe('a consent', () => {
  it('is recorded with its exact text, its version, the time, and the address under seal', async () => {
    const start = await startHosted(service);
    const address = '198.51.100.77';
    const client = await signedIn(service, start, { address });
    const shown = linesOf(client.page!);
    expect(shown.length).toBeGreaterThanOrEqual(12);
    expect(await consentOf(start.id)).toBeUndefined();
    await client.send303({ agree: '1' });

    const consent = (await consentOf(start.id))!;
    expect(consent).toMatchObject({ text_version: CONSENT_VERSION, language: 'en' });
    expect(consent.shown_text.split('\n').map(plain)).toEqual(shown);
    expect(consent.shown_text).toContain('Navdhara Capital Limited');
    expect(consent.text_hash).toBe(createHash('sha256').update(consent.shown_text).digest('hex'));
    expect(Math.abs(consent.given_at.getTime() - service.now().getTime())).toBeLessThan(60_000);
    expect(consent.client_address_sealed).not.toContain(address);
    const keyring = service.get<Keyring>(Keyring);
    expect(keyring.open(consent.client_address_sealed!, 'consents.client_address')).toBe(address);
  });

  it('to a text other than the one that is asked for now is not one: it is read first', async () => {
    const start = await startHosted(service);
    const client = await signedIn(service, start);
    const again = await client.submit({ agree: '1', shown: 'of another text' });
    expect(plain(again.text)).toContain(translate('en', 'entry.changed'));
    expect(await consentOf(start.id)).toBeUndefined();
    expect((await client.send303({ agree: '1' })).path).toBe('/hosted/check');
  });
});

describe('the confirmation', () => {
  it('tells nothing to a lender that the consent does not name', async () => {
    const start = await startHosted(service);
    const book = service.get<LenderCatalogue>(LenderCatalogue);
    const [first, ...others] = await book.serving('ONLINE_PERSONAL');
    expect(others.length).toBeGreaterThan(0);
    const serving = vi.spyOn(book, 'serving').mockResolvedValue([first]);
    const client = await signedIn(service, start);
    await client.send303({ agree: '1' });
    serving.mockRestore();
    // Meanwhile there are more lenders than the applicant agreed to.
    await client.submit();
    const { lenders } = await hosted.read(keyOf(start));
    expect(lenders.map(({ code }) => code)).toEqual([first.code]);
  });

  it('is none without the consent, or with a detail missing', async () => {
    const bare = await startHosted(service);
    const key = keyOf(bare);
    const { detailsHash } = await hosted.read(key);
    expect(await hosted.confirm(key, detailsHash)).toBe('INCOMPLETE');
    const half = await startHosted(service);
    const client = await signedIn(service, half);
    await client.send303({ agree: '1' });
    await records.query(`UPDATE consents SET text_version = '0' WHERE journey_id = $1`, [half.id]);
    expect((await client.submit()).location).toBe('/hosted');
    expect((await client.get('/hosted')).location).toBe('/hosted/consent');
    const asked = await records.query(
      'SELECT id FROM lender_questions WHERE subject_id = ANY ($1)',
      [[bare.id, half.id]],
    );
    expect(asked).toEqual([]);
  });
});

describe('the choice of an offer', () => {
  it('tells its lender of the consent, and how the statement was acknowledged', async () => {
    const lender = service.get<SandboxLender>(SandboxLender);
    const select = vi.spyOn(lender, 'select');
    const ask = vi.spyOn(lender, 'ask');
    const { start } = await withOffers();
    const key = keyOf(start);
    const [first] = (await hosted.read(key)).offers;
    const quote = await hosted.quote(key, first.offerId, 15_000_000);
    const { keyFactsHash, keyFactsIssuedAt } = quote;
    const shown = {
      loanAmount: 15_000_000,
      keyFactsHash,
      keyFactsIssuedAt,
      language: 'hi',
    } as const;
    await hosted.chooseOffer(key, { offerId: first.offerId, ...shown });
    const acknowledgement = { keyFactsHash, acknowledgedAt: expect.any(String), language: 'hi' };
    const [[request]] = select.mock.calls;
    expect(request).toMatchObject({ keyFactsHash, payload: { acknowledgement } });
    const asked = ask.mock.calls.find(
      ([{ kind, subjectId }]) => kind === 'OFFERS' && subjectId === start.id,
    )!;
    const { textVersion, givenAt } = (await hosted.read(key)).consent!;
    expect(asked[0].payload.consent).toEqual({
      givenBy: 'HOSTED',
      givenAt: givenAt.toISOString(),
      textVersion,
      language: 'en',
      mayCall: false,
    });
    // Every later question has it, too.
    await fetch((await hosted.read(key)).redirect!.url, { redirect: 'manual' });
    await service.travel(61_000);
    await eventually(() => {
      const later = ask.mock.calls.find(
        ([{ kind, subjectId }]) => kind === 'KYC' && subjectId === start.id,
      );
      expect(later?.[0].payload).toMatchObject({ acknowledgement });
    });
    vi.restoreAllMocks();
  });
});

describe('erasure', () => {
  it('ends the sessions, takes codes and addresses away, and keeps the consent itself', async () => {
    const start = await startHosted(service);
    const client = await signedIn(service, start);
    await client.send303({ agree: '1' });
    const { code } = await runAdmin(
      service.databaseUrl,
      'applicants',
      'erase',
      '--journey',
      start.id,
      '--force',
    );
    expect(code).toBe(0);
    expect((await client.get('/hosted')).location).toBe('/hosted/link');
    const consent = (await consentOf(start.id))!;
    expect(consent.client_address_sealed).toBeNull();
    expect(consent.text_version).toBe(CONSENT_VERSION);
    const codes = await records.query('SELECT id FROM one_time_codes WHERE journey_id = $1', [
      start.id,
    ]);
    expect(codes).toEqual([]);
    // Without a number no link is sent, but the page is the same.
    await client.open('/hosted/link');
    expect((await client.send303()).heading).toBe('Check your messages');
  });
});

describe('upkeep', () => {
  it('takes codes away after a day, sessions after a month, and counts when they have expired', async () => {
    const client = await signedIn(service, await startHosted(service));
    const upkeep = service.get<HostedUpkeepTasks>(HostedUpkeepTasks);
    const left = async () => {
      await upkeep.run();
      const [row] = await records.query<{ codes: number; limits: number; sessions: number }>(
        `SELECT (SELECT count(*)::int FROM one_time_codes) AS codes,
           (SELECT count(*)::int FROM hosted_limits) AS limits,
           (SELECT count(*)::int FROM hosted_sessions WHERE partner_id = $1) AS sessions`,
        [service.partnerId],
      );
      return row;
    };
    const now = await left();
    expect(Math.min(now.codes, now.limits, now.sessions)).toBeGreaterThan(0);
    await service.travel(2 * DAY);
    expect(await left()).toEqual({ codes: 0, limits: 0, sessions: now.sessions });
    // With an earlier session a browser can still request a new link.
    expect((await client.open('/hosted')).text).not.toContain('name="mobile"');
    await service.travel(31 * DAY);
    expect(await left()).toMatchObject({ sessions: 0 });
  });
});
