// Isolated: changes the master key.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HostedLimits } from '../../../src/journeys/access/hosted-limits.js';
import { PdfThread } from '../../../src/key-facts/pdf/key-facts-pdfs.js';
import { SmsLimits } from '../../../src/messaging/sms-outbox.js';
import { Database } from '../../../src/platform/index.js';
import { runAdminWith } from '../../support/admin-command.js';
import {
  codeFor,
  HostedClient,
  linkFor,
  newMobile,
  plain,
  startHosted,
} from '../../support/hosted-client.js';
import { applyForInstantLoan } from '../../support/instant-loans.js';
import { driveTo, readJourney } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { inForm } from '../../support/long-form.js';
import { NEW_KEY, OLD_KEY, OTHER_NEW_KEY, ring } from '../../support/master-keys.js';
import { type Journey, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { type OwnService, startService } from '../../support/service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

// One after the other on one database, as it goes in a deployment.
describe('one service', () => {
  const WRONG = `k1:${NEW_KEY.slice(3)}`;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await boot(OLD_KEY);
  });

  afterAll(() => database.drop());

  async function boot(masterKey: string): Promise<void> {
    const environment = { MASTER_KEY: masterKey };
    const service = await startService({ databaseUrl: database.url, environment });
    await service.close();
  }

  /** What a boot is refused with. */
  async function refusalOf(masterKey: string): Promise<string> {
    const refusal = await boot(masterKey).then(
      () => 'it was not refused',
      (error: Error) => error.message,
    );
    for (const key of masterKey.split(',')) expect(refusal).not.toContain(key.split(':')[1]);
    return refusal;
  }

  async function run(sql: string): Promise<void> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(sql);
    await client.end();
  }

  describe('a boot is refused by the name of the key', () => {
    it('when another key is known by that name; so are commands', async () => {
      const refusal = 'k1 is another key than the one that is known by this name';
      expect(await refusalOf(WRONG)).toContain(refusal);
      for (const command of [
        ['keys', 'list'],
        ['keys', 'suspend', 'key_none'],
      ]) {
        const { code, error } = await runAdminWith({ MASTER_KEY: WRONG }, database.url, ...command);
        expect([code, error]).toEqual([1, expect.stringContaining(refusal)]);
        expect(error).not.toContain(WRONG.slice(3));
      }
    });

    it('when a key would seal that the other replicas may not have', async () => {
      expect(await refusalOf(ring(NEW_KEY, OLD_KEY))).toContain('k2 is new and stands first');
    });

    it('when it lacks a key that values are sealed with', async () => {
      expect(await refusalOf(NEW_KEY)).toContain('values are sealed with k1, which it lacks');
      // Nothing was written by a boot that was refused; a replica without the new key joins one that only opens with it.
      await boot(ring(OLD_KEY, NEW_KEY));
      await boot(OLD_KEY);
      await boot(ring(NEW_KEY, OLD_KEY));
      expect(await refusalOf(OLD_KEY)).toContain('values are sealed with k2, which it lacks');
    });

    it('when two replicas were given different keys of one name for the change', async () => {
      expect(await refusalOf(ring(OLD_KEY, OTHER_NEW_KEY))).toContain('k2 is another key');
    });

    it('on a database that is older than its check values, too, by what partners’ secrets are sealed with', async () => {
      await run('DELETE FROM master_keys; UPDATE configuration SET gateways_sealed = NULL');
      expect(await refusalOf(NEW_KEY)).toContain('values are sealed with k1, which it lacks');
      expect(await refusalOf(ring(NEW_KEY, `k1:${OTHER_NEW_KEY.slice(3)}`))).toContain(
        'k1 is another key',
      );
      await boot(ring(OLD_KEY, NEW_KEY));
    });
  });

  it('a boot of two replicas at once is taken; of two with different keys of one name, one', async () => {
    const fresh = await createTestDatabase();
    const start = (masterKey: string) =>
      startService({ databaseUrl: fresh.url, environment: { MASTER_KEY: masterKey } });
    const both = await Promise.all([start(OLD_KEY), start(OLD_KEY)]);
    const one = await Promise.allSettled([
      start(ring(OLD_KEY, NEW_KEY)),
      start(ring(OLD_KEY, OTHER_NEW_KEY)),
    ]);
    expect(one.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    for (const started of one) if (started.status === 'fulfilled') both.push(started.value);
    for (const service of both) await service.close();
    await fresh.drop();
  });
});

describe('replicas with different keys', () => {
  /** What the replica that is a step ahead has, and what the others still have. */
  const AHEAD = { from: 'ahead', to: 'behind' } as const;
  const BEHIND = { from: 'behind', to: 'ahead' } as const;
  const STEPS = [
    {
      step: 'the first step: the new key opens',
      ahead: ring(OLD_KEY, NEW_KEY),
      behind: OLD_KEY,
      // Both seal with the old key.
      directions: inForm({ short: [AHEAD], long: [AHEAD, BEHIND] }),
    },
    {
      step: 'the second step: the new key seals',
      ahead: ring(NEW_KEY, OLD_KEY),
      behind: ring(OLD_KEY, NEW_KEY),
      directions: [AHEAD, BEHIND],
    },
  ];

  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  function start(masterKey: string): Promise<OwnService> {
    return startService({ databaseUrl: database.url, environment: { MASTER_KEY: masterKey } });
  }

  // One after the other on one database, as it goes in a deployment.
  describe.each(STEPS)('$step', ({ ahead, behind, directions }) => {
    const replicas: { ahead: OwnService; behind: OwnService } = {} as never;

    beforeAll(async () => {
      replicas.behind = await start(behind);
      replicas.ahead = await start(ahead);
    });

    afterAll(async () => {
      await replicas.ahead?.close();
      await replicas.behind?.close();
    });

    describe.each(directions)(
      'what begins on the replica that is $from goes on at the other',
      (direction) => {
        let from: OwnService;
        let to: OwnService;
        let here: PartnerClient;
        let there: PartnerClient;

        beforeAll(() => {
          from = replicas[direction.from];
          to = replicas[direction.to];
          here = partnerClient(from);
          there = partnerClient(to);
        });

        it('a journey with all its steps, and the answer that is kept for its Idempotency-Key', async () => {
          const body = loanRequest();
          const headers = { 'idempotency-key': `${direction.from}-${ahead}` };
          const first = await here.initiate(body, { headers });
          const again = await there.initiate(body, { headers });
          expect(again.headers['idempotency-replayed']).toBe('true');
          expect(again.json).toEqual(first.json);
          const { journeyId: id, journeySession: session } = first.json.data;
          const journey = { id, session };
          await driveTo(there, journey, 'KYC_PENDING');
          await expectLinksOpen(await readJourney(here, journey));
          await driveTo(here, journey, 'MANDATE_PENDING');
          await driveTo(there, journey, 'SANCTIONED');
        });

        /** Those to a statement and to a redirect; and the PDF of what was agreed to is kept, not drawn again. */
        async function expectLinksOpen({ offers, currentNextAction, selectedOffer }: Journey) {
          for (const link of [offers[0].kfsLink, currentNextAction.url!]) {
            const { ok } = await fetch(link.replace(from.baseUrl, to.baseUrl));
            expect([link, ok]).toEqual([link, true]);
          }
          const pdfAt = async (service: OwnService) => {
            const link = selectedOffer!.kfsLink.replace(from.baseUrl, service.baseUrl);
            return Buffer.from(await (await fetch(`${link}.pdf`)).arrayBuffer());
          };
          const draw = vi.spyOn(to.get<PdfThread>(PdfThread), 'draw');
          const first = await pdfAt(from);
          expect(first.subarray(0, 5).toString()).toBe('%PDF-');
          expect((await pdfAt(to)).equals(first)).toBe(true);
          expect(draw).not.toHaveBeenCalled();
          draw.mockRestore();
        }

        it('a hosted journey: its link, code, session, forms and what they showed', async () => {
          const begun = await startHosted(from);
          const first = new HostedClient(from.baseUrl);
          await first.open(begun.link);
          const second = first.copy(to.baseUrl);
          await second.send303();
          const third = second.copy(from.baseUrl);
          await third.send303({ code: await codeFor(from, begun.mobile) });
          expect(third.page!.path).toBe('/hosted/consent');
          await third.send303({ agree: '1' });
          expect(third.page!.path).toBe('/hosted/check');
          // The form that this replica drew is sent to the other.
          const fourth = third.copy(to.baseUrl);
          await fourth.send303();
          expect(fourth.page!.path).not.toBe('/hosted/check');
          expect(plain(fourth.page!.text)).not.toContain('changed');
        });

        it('an applicant by the mobile, and an instant loan by its link', async () => {
          const begun = await startHosted(from);
          const client = new HostedClient(to.baseUrl);
          await client.open('/hosted/link');
          await client.send303({ mobile: begun.mobile });
          expect(await linkFor(to, begun.mobile)).toMatch(/^\/hosted\/start\//);
          const { status, json } = await applyForInstantLoan(here, { mobile: newMobile() });
          const page = await fetch(json.data.redirectUrl.replace(from.baseUrl, to.baseUrl));
          expect([status, page.status]).toEqual([200, 200]);
        });

        it('what is counted, to the last one', async () => {
          const take = (service: OwnService, subject: string) =>
            service
              .get<Database>(Database)
              .transaction((tx) =>
                service.get<HostedLimits>(HostedLimits).take(tx, 'LINKS_OF_JOURNEY', subject),
              );
          const subject = `${direction.from} of ${ahead}`;
          expect(await take(from, subject)).toBeNull();
          expect(await take(to, subject)).toBeNull();
          expect(await take(from, subject)).toBeNull();
          expect(await take(to, subject)).toBeInstanceOf(Date);
          expect(await take(from, subject)).toBeInstanceOf(Date);

          const text = (service: OwnService, mobile: string) =>
            service
              .get<Database>(Database)
              .transaction((tx) =>
                service.get<SmsLimits>(SmsLimits).take(tx, mobile, 'ONE_TIME_CODE'),
              );
          const mobile = newMobile();
          await to.get<Database>(Database).query('DELETE FROM sms_limits');
          for (const service of [from, to, to, from, to]) await text(service, mobile);
          const rows = await to
            .get<Database>(Database)
            .query<{ most: number }>('SELECT max(count) AS most FROM sms_limits');
          expect(rows).toEqual([{ most: 5 }]);
        });
      },
    );
  });
});
