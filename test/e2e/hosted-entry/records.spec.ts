import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { CONSENT_VERSION } from '../../../src/consents/consent-texts.js';
import { HostedUpkeepTasks } from '../../../src/journeys/background/journey.tasks.js';
import {
  HostedChoices,
  HostedConfirmation,
  HostedQuotes,
  HostedReader,
} from '../../../src/journeys/index.js';
import { CountedLimits, Keyring, translate } from '../../../src/platform/index.js';
import { runAdmin } from '../../support/admin-command.js';
import {
  type HostedClient,
  type HostedPage,
  type HostedStart,
  plain,
  signedIn,
  startHosted,
} from '../../support/hosted-client.js';
import { recordsOf } from '../../support/journey-records.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { LenderCatalogue } from '../../../src/settings/index.js';
import { atOffers, expectWords } from '../hosted-steps/step-journey.js';

const DAY = 86_400_000;
const ADDRESS = '198.51.100.77';

const service = serviceOfFile();
const records = recordsOf(service);
let hosted: HostedReader;

beforeAll(() => {
  hosted = service.get(HostedReader);
});

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

async function atConsent(): Promise<{ start: HostedStart; client: HostedClient }> {
  const start = await startHosted(service);
  return { start, client: await signedIn(service, start, { address: ADDRESS }) };
}

describe('a consent', () => {
  it('is recorded with its exact text, its version, the time, and the address under seal', async () => {
    const { start, client } = await atConsent();
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
    expect(consent.client_address_sealed).not.toContain(ADDRESS);
    const keyring = service.get<Keyring>(Keyring);
    expect(keyring.open(consent.client_address_sealed!, 'consents.client_address')).toBe(ADDRESS);
  });

  it('to a newer version of the text is asked for and recorded beside the older', async () => {
    const { start, client } = await atConsent();
    await client.send303({ agree: '1' });
    await records.query(`UPDATE consents SET text_version = '6' WHERE journey_id = $1`, [start.id]);
    await client.open('/hosted');
    expect((await client.send303({ agree: '1' })).path).toBe('/hosted/check');
    const versions = 'SELECT text_version AS v FROM consents WHERE journey_id = $1 ORDER BY v';
    expect(await records.query(versions, [start.id])).toEqual([{ v: '6' }, { v: CONSENT_VERSION }]);
  });

  it('to a text other than the one that is asked for now is not one: it is read first', async () => {
    const { start, client } = await atConsent();
    const again = await client.submit({ agree: '1', shown: 'of another text' });
    expectWords(again, translate('en', 'entry.changed'));
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
    // By now there are more lenders than the consent names.
    await client.submit();
    const { lenders } = await hosted.read(keyOf(start));
    expect(lenders.map(({ code }) => code)).toEqual([first.code]);
  });

  it('is none without the consent, or the amount', async () => {
    const bare = await startHosted(service);
    const key = keyOf(bare);
    const { detailsHash } = await hosted.read(key);
    expect(
      await service.get<HostedConfirmation>(HostedConfirmation).confirm(key, detailsHash),
    ).toBe('INCOMPLETE');
    const { start: half, client } = await atConsent();
    await client.send303({ agree: '1' });
    const setSource = (source: string) =>
      records.query('UPDATE journeys SET loan_amount_source = $2 WHERE id = $1', [half.id, source]);
    await setSource('DEFAULT');
    expect((await client.copy().send303()).path).toBe('/hosted/amount');
    await setSource('PARTNER');
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
    const { start, key, offer } = await atOffers(service);
    const { offerId } = offer;
    const loanAmount = 15_000_000;
    const quote = await service.get<HostedQuotes>(HostedQuotes).quote(key, offerId, loanAmount);
    const { keyFactsHash, keyFactsIssuedAt } = quote;
    const shown = { keyFactsHash, keyFactsIssuedAt, language: 'hi' } as const;
    await service
      .get<HostedChoices>(HostedChoices)
      .chooseOffer(key, { offerId, loanAmount, ...shown });
    const [{ at }] = await records.query<{ at: Date }>(
      'SELECT acknowledged_at AS at FROM key_facts_statements WHERE offer_id = $1',
      [offerId],
    );
    const acknowledgement = { keyFactsHash, acknowledgedAt: at.toISOString(), language: 'hi' };
    const [[request]] = select.mock.calls;
    expect(request).toMatchObject({ keyFactsHash, payload: { acknowledgement } });
    const payloadOf = (of: string) =>
      ask.mock.calls.find(([{ kind, subjectId }]) => kind === of && subjectId === start.id)?.[0]
        .payload;
    const { textVersion, givenAt } = (await hosted.read(key)).consent!;
    expect(payloadOf('OFFERS')!.consent).toEqual({
      givenBy: 'HOSTED',
      givenAt: givenAt.toISOString(),
      textVersion,
      language: 'en',
      mayCall: false,
    });
    vi.restoreAllMocks();
  });
});

describe('erasure', () => {
  it('ends the sessions, takes codes and addresses away, and keeps the consent itself', async () => {
    const { start, client } = await atConsent();
    await client.send303({ agree: '1' });
    const erase = ['applicants', 'erase', '--journey', start.id, '--force'];
    expect((await runAdmin(service.databaseUrl, ...erase)).code).toBe(0);
    expect((await client.get('/hosted')).location).toBe('/hosted/link');
    expect(await consentOf(start.id)).toMatchObject({
      client_address_sealed: null,
      text_version: CONSENT_VERSION,
    });
    const codes = 'SELECT id FROM one_time_codes WHERE journey_id = $1';
    expect(await records.query(codes, [start.id])).toEqual([]);
    // Without a number no link is sent; the page is the same.
    await client.open('/hosted/link');
    expect((await client.send303()).heading).toBe('Check your messages');
  });
});

describe('upkeep', () => {
  it('takes codes away after a day, sessions after a month, and counts when they have expired', async () => {
    const { client } = await atConsent();
    const upkeep = service.get<HostedUpkeepTasks>(HostedUpkeepTasks);
    const left = async () => {
      await upkeep.run();
      await service.get<CountedLimits>(CountedLimits).deleteEnded();
      const [row] = await records.query<{ codes: number; limits: number; sessions: number }>(
        `SELECT (SELECT count(*)::int FROM one_time_codes) AS codes,
           (SELECT count(*)::int FROM counted_limits) AS limits,
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
